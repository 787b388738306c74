// Commands on their way. Each keeps the id it was born with until the service has answered it, however often the link
// breaks; they go out one after another, in the order they were given.
import type { Answer, Command, CommandBody } from './messages'

export type Transport = {
  /** Whether something sent now can arrive. */
  ready(): boolean
  /** Sends once; rejects when no answer came. */
  send(command: Command): Promise<Answer>
}

type Waiting = { command: Command; born: number; answered: (answer: Answer | null) => void }

/** Acts of the moment: a window that opens long after the tap would surprise the table, so they lapse. In ms. */
const LAPSES: Partial<Record<CommandBody['do'], number>> = { open_window: 3000, close_window: 3000 }
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
    private readonly local: () => number = () => performance.now(),
  ) {}

  get waiting(): number {
    return this.queue.length
  }

  /** Gives a command its id and sends it. The answer is null when it lapsed before it could be delivered. */
  give(body: CommandBody, revision: number): Promise<Answer | null> {
    return new Promise((answered) => {
      this.queue.push({ command: { ...body, id: freshId(), revision } as Command, born: this.local(), answered })
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
        const lapse = LAPSES[head.command.do]
        if (lapse !== undefined && this.local() - head.born > lapse) {
          this.done(null)
          continue
        }
        if (!this.transport.ready()) return
        const answer = await this.transport.send(head.command).catch(() => null)
        if (answer !== null) this.done(answer)
        else await new Promise((wait) => setTimeout(wait, RETRY))
      }
    } finally {
      this.sending = false
    }
  }

  private done(answer: Answer | null): void {
    const head = this.queue.shift()
    this.changed(this.queue.length)
    head?.answered(answer)
  }
}
