// What the on-air picture says about a view: which rail, who is lit, the cells of the night table. Pure.
import { team } from '../lib/looks'
import type { AirCandidate, AirNight, AirSeat, AirView, Role, Seat } from '../lib/messages'

export type RailName = 'result' | 'vote' | 'shots' | 'check' | 'best' | 'nominees'

/** The view as the producer lets it be seen: with roles off nothing that tells a card, with scores off no points. */
export function worn(view: AirView): AirView {
  const { roles, scores } = view.stage
  if (roles && scores) return view
  return {
    ...view,
    seats: view.seats.map((seat) => ({
      ...seat,
      role: roles ? seat.role : null,
      points: scores ? seat.points : null,
    })),
    nights: roles ? view.nights : view.nights.map((night) => ({ ...night, shots: {}, checks: [] })),
    calling: roles ? view.calling : null,
  }
}

const SHOOTING: ReadonlySet<string> = new Set(['shooting', 'kill'])

export function isShooting(view: AirView): boolean {
  return view.phase.kind === 'night' && SHOOTING.has(view.phase.step ?? '')
}

export function seatOf(view: AirView, seat: Seat | null | undefined): AirSeat | undefined {
  return view.seats.find((one) => one.seat === seat)
}

export function rolesOpen(view: AirView): boolean {
  return view.seats.some((one) => one.role !== null)
}

export function isNight(view: AirView): boolean {
  return view.phase.kind === 'night' || view.phase.kind === 'acquaintance'
}

export function tonight(view: AirView): AirNight | undefined {
  return view.phase.kind === 'night' ? view.nights.find((one) => one.night === view.phase.round) : undefined
}

/** The rail is one slot: what goes on now, never two things. */
export function railOf(view: AirView): RailName | null {
  const { kind, step } = view.phase
  if (view.result !== null) return 'result'
  if (kind === 'night') {
    if (!rolesOpen(view)) return null
    if (step === 'don' || step === 'sheriff')
      return tonight(view)?.checks.some((one) => one.by === step) ? 'check' : null
    return isShooting(view) ? 'shots' : null
  }
  if (view.vote !== null && (kind === 'voting' || view.vote.leaves !== null || tieOf(view) !== null)) return 'vote'
  // It belongs to the player shot on the first night, and is shown while that player speaks.
  if (kind === 'last_word') return view.best_move?.seat === view.phase.seat ? 'best' : null
  if (view.nominations.length > 0 && (kind === 'speech' || kind === 'voting')) return 'nominees'
  return null
}

/** Those who are equal and speak once more now; null where nobody does. */
export function tieOf(view: AirView): readonly Seat[] | null {
  const { kind, speech } = view.phase
  return kind === 'speech' && speech === 'revote' ? (view.vote?.tied ?? null) : null
}

/** Who is lit at night; null when nobody is dimmed. */
export function lit(view: AirView): ReadonlySet<Seat> | null {
  if (!isNight(view) || !rolesOpen(view)) return null
  const awake = (role: Role): boolean => {
    switch (view.phase.step) {
      case 'shooting':
      case 'kill':
      case 'mafia':
        return team(role) === 'black'
      default:
        return role === view.phase.step
    }
  }
  return new Set(view.seats.filter((one) => one.role !== null && awake(one.role)).map((one) => one.seat))
}

export type LaneState = 'done' | 'current' | 'waiting'

export function laneState(candidate: AirCandidate): LaneState {
  if (candidate.state === 'counted') return 'done'
  return candidate.state === 'waiting' ? 'waiting' : 'current'
}

export function votes(candidate: AirCandidate): number {
  return candidate.hands.length + candidate.assigned.length
}

/** The candidate whose turn it is, null between turns. 0 stands for the raise question, as in a seat's `hand`. */
export function calledNow(view: AirView): Seat | 0 | null {
  const current = view.vote?.candidates.find((one) => laneState(one) === 'current')
  return current === undefined ? null : (current.seat ?? 0)
}

export type Shot = { from: Seat; at: Seat | null }

/** Every shot of tonight, and a pending one for each living black player who has not shot yet. */
export function shotsOf(view: AirView): Shot[] {
  const night = tonight(view)
  const shooters = view.seats.filter((one) => one.in_play && one.role !== null && team(one.role) === 'black')
  return shooters.flatMap(({ seat }): Shot[] => {
    const targets = night?.shots[String(seat)] ?? []
    return targets.length > 0 ? targets.map((at) => ({ from: seat, at })) : [{ from: seat, at: null }]
  })
}

/** What tonight's shots came to, once they are known: who was hit, nobody for a miss; null before that. */
export function shootingOf(view: AirView): readonly Seat[] | null {
  return isShooting(view) && rolesOpen(view) ? (tonight(view)?.killed ?? null) : null
}

export type Cell = { seats: Seat[]; text: string; pending: boolean }
export type Row = { sign: 'shot' | 'don' | 'sheriff' | 'hand'; cells: Cell[] }

const EMPTY: Cell = { seats: [], text: '', pending: false }
const cell = (seats: Seat[]): Cell => ({ seats, text: seats.join('·'), pending: false })
const said = (text: string): Cell => ({ seats: [], text, pending: false })
const PENDING: Cell = { seats: [], text: '?', pending: true }

/** Nights and days side by side: column n is night n and day n. At least two columns. */
export function nightTable(view: AirView): { columns: number[]; rows: Row[] } {
  const nights = new Map(view.nights.filter((one) => one.night > 0).map((one) => [one.night, one]))
  const days = new Map(view.days.map((one) => [one.day, one]))
  const last = Math.max(2, ...nights.keys(), ...days.keys())
  const columns = Array.from({ length: last }, (_, i) => i + 1)
  const now = (n: number) => view.phase.kind === 'night' && view.phase.round === n && view.result === null

  const shot = (n: number): Cell => {
    const night = nights.get(n)
    if (night === undefined) return now(n) ? PENDING : EMPTY
    if (night.killed === null) return now(n) && !isShooting(view) ? EMPTY : PENDING
    return night.killed.length > 0 ? cell(night.killed) : said('×')
  }
  const check =
    (by: 'don' | 'sheriff') =>
    (n: number): Cell => {
      const night = nights.get(n)
      const made = night?.checks.find((one) => one.by === by)
      if (made !== undefined) return cell([made.seat])
      if (now(n)) return view.phase.step === by ? PENDING : EMPTY
      return night === undefined ? EMPTY : said('–')
    }
  const left = (n: number): Cell => {
    const day = days.get(n)
    if (day === undefined) return EMPTY
    return day.left.length > 0 ? cell(day.left.map((one) => one.seat)) : said('–')
  }
  const row = (sign: Row['sign'], of: (n: number) => Cell): Row => ({ sign, cells: columns.map(of) })
  const secret = rolesOpen(view) ? [row('don', check('don')), row('sheriff', check('sheriff'))] : []
  return { columns, rows: [row('shot', shot), ...secret, row('hand', left)] }
}

export function won(view: AirView, seat: AirSeat): boolean {
  return seat.role !== null && view.result !== null && team(seat.role) === view.result.winner
}

/** Whether tonight's shots were at `seat`, once they are known. */
export function isTarget(view: AirView, seat: Seat): boolean {
  const hit = shootingOf(view)
  if (hit === null) return false
  return hit.includes(seat) || shotsOf(view).some((shot) => shot.at === seat)
}

export type Mark = { icon: 'hand' | 'raised' | 'mafia' | 'point'; text: string; now: boolean; gun: boolean }

/** The one mark of a seat: whom the hand was against, whom this player shot, or as which it is nominated. */
export function markOf(view: AirView, seat: AirSeat): Mark | null {
  const rail = railOf(view)
  if (rail === 'vote') {
    if (seat.hand === null) return null
    const now = seat.hand === calledNow(view)
    return seat.hand === 0
      ? { icon: 'raised', text: '', now, gun: false }
      : { icon: 'hand', text: String(seat.hand), now, gun: false }
  }
  if (rail === 'shots' && view.calling === null) {
    const shots = tonight(view)?.shots[String(seat.seat)] ?? []
    return shots.length > 0 ? { icon: 'mafia', text: shots.join('·'), now: false, gun: true } : null
  }
  if (seat.nominated !== null && view.phase.kind === 'speech' && !seat.speaking && view.result === null)
    return { icon: 'point', text: String(seat.nominated), now: true, gun: false }
  return null
}
