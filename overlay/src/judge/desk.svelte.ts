// The judge's desk: the last view, what the hand is about to do, and the way out for every command.
import { Live } from '../lib/live.svelte'
import type { CommandBody, JudgeView, Proposal, Role, Seat } from '../lib/messages'
import { common } from '../words/common'
import { judge } from '../words/judge'
import { words } from '../words/desk'
import { Counting } from './counting.svelte'
import { meaning, momentOf } from './tap'

export type Sheet =
  | { name: 'seat'; seat: Seat }
  | { name: 'evidence'; proposal: Proposal | null }
  | { name: 'more' | 'history' | 'readiness' | 'walk' | 'setup' | 'shooters' | 'sound' | 'keys' | 'position' }
  | { name: 'replace'; decision: number; sentence: string }
  | { name: 'points'; seat: Seat }

export type BigStep = { label: string; detail: string; blocked: string | null; run: (touched: number) => void }

/** A second press so soon after the step has changed is the same press, slipping. */
const SLIP = 350
/** As far as a finger that trembles comes, px. */
const FINGER = 60
const MOST_NUMBERS = 3
/** What has another of its kind under the finger as soon as it is done: a second touch so soon was meant for the first. */
const NEXT_OF_ITS_KIND: Partial<Record<CommandBody['do'], string>> = {
  undo: 'undo',
  redo: 'redo',
  give: 'row',
  waive: 'row',
  answer: 'row',
}

export class Desk {
  readonly live = new Live<JudgeView>('judge', 1000)
  refusal = $state.raw<{ sentence: string; clause: string | null } | null>(null)
  /** Why a command was refused, where the reason tells a role: shown under the cover alone. */
  covered = $state<string | null>(null)
  target = $state<Seat | 'miss' | null>(null)
  numbers = $state.raw<Seat[]>([])
  counting = $state.raw<Seat[] | null>(null)
  dealTo = $state<Seat | null>(null)
  foulArmed = $state(false)
  stepping = $state(false)
  readonly counter = new Counting((seat) => this.live.connection.show({ do: 'call', seat }))
  private lying = $state.raw<Sheet | null>(null)
  private finger = { x: 0, y: 0 }
  /** When a touch closed what lay over the table, and where the finger was. */
  private gone = { at: -SLIP, x: 0, y: 0 }
  private readonly done = new Map<string, number>()
  private fresh = true
  private moment = ''
  private stepShown = ''
  private stepSince = 0
  private refusalEnds: ReturnType<typeof setTimeout> | undefined

  /** What lies over the table. */
  get sheet(): Sheet | null {
    return this.lying
  }

  set sheet(sheet: Sheet | null) {
    if (sheet === null && this.lying !== null) this.gone = { at: performance.now(), ...this.finger }
    this.lying = sheet
  }

  /** A key has closed what lay over the table: there is no finger that could slip. */
  closed(): void {
    this.lying = null
  }

  get view(): JudgeView | null {
    return this.live.view
  }

  /** Called for every view: drops choices that belonged to another moment. */
  seen(view: JudgeView): void {
    this.counter.seen(view, this.fresh)
    this.fresh = false
    const moment = momentOf(view)
    if (moment !== this.moment) {
      this.moment = moment
      this.target = null
      this.numbers = []
      this.counting = null
      this.foulArmed = false
    }
    if (this.dealTo !== null && !view.legal.deal.includes(this.dealTo)) this.dealTo = null
    const step = moment + JSON.stringify([view.step.do, view.step.label])
    if (step !== this.stepShown) {
      this.stepShown = step
      this.stepSince = performance.now()
    }
  }

  /** `touched`: the local time of the touch; none: now. */
  async act(body: CommandBody, touched?: number): Promise<boolean> {
    if (this.slips(body)) return false
    this.refuse(null)
    this.covered = null
    if (this.live.link !== 'up') {
      this.refuse(judge.notSent)
      return false
    }
    const answer = await this.live.connection.command(body, touched)
    if (answer === 'lapsed' || answer === 'unanswered') {
      this.refuse(judge[answer])
      return false
    }
    if (!answer.ok) {
      this.refuse(answer.refusal.sentence, answer.refusal.clause)
      this.covered = answer.refusal.covered ?? null
    }
    return answer.ok
  }

  /** Where a finger comes down, before anything is made of it. */
  touched(at: { clientX: number; clientY: number }): void {
    this.finger = { x: at.clientX, y: at.clientY }
  }

  /** Whether this touch is the one that has just closed a sheet, trembling. */
  private get layUnderSheet(): boolean {
    const { at, x, y } = this.gone
    return performance.now() - at < SLIP && Math.hypot(this.finger.x - x, this.finger.y - y) < FINGER
  }

  private slips(body: CommandBody): boolean {
    const kind = NEXT_OF_ITS_KIND[body.do]
    if (kind === undefined) return false
    const now = performance.now()
    const before = this.done.get(kind) ?? -SLIP
    if (now - before < SLIP) return true
    // What lay under a sheet lies under the finger that has closed it.
    if (kind === 'row' && this.layUnderSheet) return true
    this.done.set(kind, now)
    return false
  }

  refuse(sentence: string | null, clause: string | null = null): void {
    clearTimeout(this.refusalEnds)
    this.refusal = sentence === null ? null : { sentence, clause }
    if (sentence !== null) this.refusalEnds = setTimeout(() => (this.refusal = null), 8000)
  }

  tap(seat: Seat): void {
    const view = this.view
    if (view === null || this.layUnderSheet) return
    if (this.foulArmed) {
      this.foulArmed = false
      void this.act({ do: 'foul', seat })
      return
    }
    const tap = meaning(view, seat, this.counting !== null)
    switch (tap.kind) {
      case 'command':
        void this.act(tap.body)
        return
      case 'target':
        this.target = this.target === seat ? null : seat
        return
      case 'number':
        if (this.numbers.includes(seat)) this.numbers = this.numbers.filter((one) => one !== seat)
        else if (this.numbers.length === MOST_NUMBERS) this.refuse(words.threeNumbers)
        else this.numbers = [...this.numbers, seat]
        return
      case 'mine': {
        const seats = this.numbers.includes(seat) ? this.numbers.filter((one) => one !== seat) : [...this.numbers, seat]
        this.numbers = seats.slice(0, 2)
        if (seats.length === 2)
          void this.act({ do: 'act', by: 'bomber', seats }).then((ok) => ok || (this.numbers = []))
        return
      }
      case 'count':
        this.counting = this.counting!.includes(seat)
          ? this.counting!.filter((one) => one !== seat)
          : [...this.counting!, seat]
        return
      case 'deal':
        this.dealTo = seat
        return
      case 'points':
        this.sheet = { name: 'points', seat }
        return
      case 'menu':
        this.sheet = { name: 'seat', seat }
    }
  }

  deal(seat: Seat, role: Role): void {
    this.dealTo = null
    void this.act({ do: 'deal', seat, role })
  }

  /** What the one big button does now: the table's own step, or what the hand has just chosen. */
  get big(): BigStep | null {
    const view = this.view
    if (view === null) return null
    const { step, legal } = view
    const send = (body: CommandBody) => (touched: number) => void this.act(body, touched)
    if (view.stopped) {
      const run = send({ do: 'stop', stopped: false })
      return { label: judge.resume, detail: judge.stoppedHint, blocked: null, run }
    }
    if (this.counting !== null) {
      const seats = this.counting
      return {
        label: judge.countDone(seats.length),
        detail: seats.join(', '),
        blocked: null,
        run: send({ do: 'count', seats }),
      }
    }
    if (legal.best_move !== null && this.numbers.length > 0) {
      const body: CommandBody = { do: 'best_move', seat: legal.best_move, numbers: this.numbers }
      return {
        label: judge.bestMoveDone(this.numbers.length),
        detail: this.numbers.join(' · '),
        blocked: null,
        run: send(body),
      }
    }
    switch (step.do) {
      case 'shoot':
      case 'kill':
        return this.shooting(step.label, step.do === 'kill')
      case 'open_window':
      case 'close_window':
      case 'announce':
      case 'next':
        return { ...step, run: send({ do: step.do }) }
      case 'wait':
      case 'none':
        return { ...step, blocked: step.blocked ?? step.detail, run: () => {} }
    }
  }

  private shooting(label: string, city: boolean): BigStep {
    const target = this.target
    if (target === null) {
      const choose = city ? words.touchTarget : judge.chooseTarget
      return { label, detail: choose, blocked: choose, run: () => {} }
    }
    const body: CommandBody = city
      ? target === 'miss'
        ? { do: 'kill' }
        : { do: 'kill', at: target }
      : target === 'miss'
        ? { do: 'shoot', shots: {}, miss: true }
        : { do: 'shoot', shots: {}, at: target }
    const detail = target !== 'miss' ? judge.shotAt(target) : city ? words.refused : judge.missChosen
    return { label, detail, blocked: null, run: (touched) => void this.act(body, touched) }
  }

  /** Presses the big button. `at` is the local time of the touch, as in an event's `timeStamp`. */
  press(at: number): void {
    const big = this.big
    if (big === null || this.sheet !== null) return
    if (big.blocked !== null) return this.refuse(big.blocked)
    if (this.stepping || performance.now() - this.stepSince < SLIP) return
    this.stepping = true
    big.run(at)
    // Free again when the answer is in; a link that is cut frees it as soon as it is back.
    const freed = setInterval(() => {
      if (this.live.waiting > 0) return
      clearInterval(freed)
      this.stepping = false
    }, 30)
  }

  /** Whose card is noted next: the seat that was touched, else the first without one; null once all have theirs. */
  get drawing(): Seat | null {
    if (this.dealTo !== null || this.view === null || this.view.legal.deal.length === 0) return this.dealTo
    return this.view.seats.find((one) => one.role === null)?.seat ?? null
  }

  seatName(seat: Seat | null): string {
    return this.view?.seats.find((one) => one.seat === seat)?.name ?? ''
  }

  phaseTitle(view: JudgeView): string {
    const { kind, round } = view.phase
    switch (kind) {
      case 'dealing':
        return common.dealing
      case 'over':
        return common.game(view.header.game)
      case 'acquaintance':
        return common.night(0)
      case 'night':
        return common.night(round)
      default:
        return common.day(round)
    }
  }
}

export const desk = new Desk()
