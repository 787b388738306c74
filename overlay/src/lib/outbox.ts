// Commands on their way. Each keeps the id it was born with until the service has answered it, however often the link
// breaks, or until it lapses; they go out one after another, in the order they were given.
import type { Answer, Command, CommandBody } from './messages'

export type Transport = {
  /** Whether something sent now can arrive. */
  ready(): boolean
  /** Sends once; rejects when no answer came. */
  send(command: Command): Promise<Answer>
}

/** What became of a command: the service's answer, or that it lapsed, `sent` or not, before one came. */
export type Outcome = Answer | 'lapsed' | 'unanswered'

type Waiting = { command: Command; sent: boolean; lapse: Timer; outcome: (outcome: Outcome) => void }
type Timer = ReturnType<typeof setTimeout>

/** Nobody at the table expects a press any more that has hung on the link for so long. In ms. */
export const LAPSES = 3000
const RETRY = 400

/** A random uuid; `crypto.randomUUID` does not exist on plain http, which is what a hall's network has. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export class Outbox {
  private queue: Waiting[] = []
  private sending = false

  constructor(
    private readonly transport: Transport,
    private readonly changed: (waiting: number) => void = () => {},
  ) {}

  get waiting(): number {
    return this.queue.length
  }

  /** Gives a command its id and sends it. `tapped`: the service's time at the tap, where it is known. */
  give(body: CommandBody, revision: number, tapped?: number): Promise<Outcome> {
    const command: Command = { ...body, id: freshId(), revision, ...(tapped === undefined ? {} : { tapped }) }
    return new Promise((outcome) => {
      const lapse = setTimeout(() => this.done(waiting, waiting.sent ? 'unanswered' : 'lapsed'), LAPSES)
      const waiting: Waiting = { command, sent: false, lapse, outcome }
      this.queue.push(waiting)
      this.changed(this.queue.length)
      void this.flush()
    })
  }

  /** Sends what waits; called again whenever the link has come back. */
  async flush(): Promise<void> {
    if (this.sending) return
    this.sending = true
    try {
      for (let head = this.queue[0]; head !== undefined; head = this.queue[0]) {
        if (!this.transport.ready()) return
        head.sent = true
        const answer = await this.transport.send(head.command).catch(() => null)
        if (answer !== null) this.done(head, answer)
        else await new Promise((wait) => setTimeout(wait, RETRY))
      }
    } finally {
      this.sending = false
    }
  }

  /** The first outcome counts; an answer to what has lapsed meanwhile is nobody's. */
  private done(waiting: Waiting, outcome: Outcome): void {
    if (!this.queue.includes(waiting)) return
    clearTimeout(waiting.lapse)
    this.queue = this.queue.filter((one) => one !== waiting)
    this.changed(this.queue.length)
    waiting.outcome(outcome)
  }
}
