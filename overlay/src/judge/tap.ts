// What touching a seat means in the present phase. Pure; knows no roles.
import type { AirCandidate, CommandBody, JudgeView, Seat } from '../lib/messages'

export type Tap =
  | { kind: 'command'; body: CommandBody }
  | { kind: 'target' } // shooting: choose, the big button records
  | { kind: 'number' } // best move: on or off the list
  | { kind: 'mine' } // city: on or off the bomber's two
  | { kind: 'count' } // hands counted by eye: on or off
  | { kind: 'deal' } // whose card comes next
  | { kind: 'points' } // after the game
  | { kind: 'menu' }

export function currentCandidate(view: JudgeView): AirCandidate | undefined {
  return view.vote?.candidates.find((one) => one.state !== 'waiting' && one.state !== 'counted')
}

/** The candidate whose hands are looked at and can be ruled: the one whose window is open, else the last that was
 * counted, also while the next is called already; before the first window the one who is called. */
export function ruledCandidate(view: JudgeView): AirCandidate | undefined {
  const now = currentCandidate(view)
  if (now !== undefined && now.state !== 'called') return now
  return view.vote?.candidates.filter((one) => one.state === 'counted').at(-1) ?? now
}

export function meaning(view: JudgeView, seat: Seat, counting: boolean): Tap {
  const { legal, phase } = view
  if (counting) return { kind: 'count' }
  if (phase.kind === 'over' && (legal.award || legal.penalty || legal.protest)) return { kind: 'points' }
  if (legal.deal.includes(seat)) return { kind: 'deal' }
  if (legal.shoot || legal.kill) return { kind: 'target' }
  if (legal.act === 'bomber') return { kind: 'mine' }
  if (legal.act !== null) return { kind: 'command', body: { do: 'act', by: legal.act, seats: [seat] } }
  if (legal.check !== null) return { kind: 'command', body: { do: 'check', by: legal.check, seat } }
  if (legal.best_move !== null && seat !== legal.best_move) return { kind: 'number' }
  if (legal.will !== null) return { kind: 'command', body: { do: 'will', seat: legal.will, named: seat } }
  if (phase.kind === 'voting') {
    const candidate = ruledCandidate(view)
    if (candidate !== undefined && legal.rule.includes(seat)) {
      const counts = !candidate.hands.includes(seat) && !candidate.assigned.includes(seat)
      return { kind: 'command', body: { do: 'rule', candidate: candidate.seat, seat, counts } }
    }
  }
  // Also where it is not legal: the table then says why it is not.
  if (phase.kind === 'speech' && phase.seat !== null && phase.speech === 'minute') {
    return { kind: 'command', body: { do: 'nominate', by: phase.seat, seat } }
  }
  return { kind: 'menu' }
}

/** Local choices belong to one moment; when this changes they are dropped. */
export function momentOf(view: JudgeView): string {
  const { kind, round, step, seat, speech } = view.phase
  const candidate = currentCandidate(view)
  return JSON.stringify([kind, round, step, seat, speech, view.vote?.kind, candidate?.seat, candidate?.state])
}
