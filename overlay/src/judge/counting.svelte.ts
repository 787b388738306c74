// The numbers that the judge calls in the shooting: they come by themselves, at the pace of a voice. Shown alone;
// nothing is recorded by it.
import type { JudgeView, Seat } from '../lib/messages'

/** So long the words before the first number take, ms. */
export const LEAD = 5000
/** From one number to the next, ms. */
export const PACE = 1400

export class Counting {
  /** The number called now; 0 before the first; null where none is called. */
  at = $state<Seat | 0 | null>(null)
  /** All of tonight's numbers have been called. */
  done = $state(false)
  private seats = 0
  private night = ''
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly say: (seat: Seat | null) => void) {}

  /** Called for every view. `first`: the page has just come and does not know how far the judge is. */
  seen(view: JudgeView, first: boolean): void {
    const night = view.legal.shoot ? `${view.header.game} ${view.phase.round}` : ''
    if (night === this.night) return
    this.night = night
    this.seats = view.seats.length
    this.stop()
    this.done = false
    if (night !== '' && !first) this.start(LEAD)
  }

  /** From number 1, `lead` ms from now. */
  start(lead = PACE): void {
    this.stop()
    this.done = false
    this.at = 0
    this.timer = setTimeout(() => this.next(), lead)
  }

  stop(): void {
    clearTimeout(this.timer)
    if (this.at) this.say(null)
    this.at = null
  }

  private next(): void {
    const number = (this.at ?? 0) + 1
    if (number > this.seats) {
      this.stop()
      this.done = true
      return
    }
    this.at = number
    this.say(number)
    this.timer = setTimeout(() => this.next(), PACE)
  }
}
