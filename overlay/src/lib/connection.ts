// The one link between a page and the service. First connect and reconnect are one path: the service sends the whole
// view, the page draws it. Holds no view itself.
import { io, type Socket } from 'socket.io-client'
import { ServiceClock } from './clock'
import { isSide, languageFromAddress, reloadIfOld, takeToken } from './entry'
import type { Answer, Command, CommandBody, Delay, Envelope, Lamp, LookNow, Page, Pictures, Refusal } from './messages'
import { freshId, Outbox, type Outcome } from './outbox'
import { common } from '../words/common'

export type LinkState = 'connecting' | 'up' | 'silent' | 'down'
export type Listener<V> = {
  /** `first` is true for the first view after every (re)connect: draw it without entrances. */
  view(envelope: Envelope<V>, first: boolean): void
  link(state: LinkState): void
  /** The service does not let this page in, and says why; `code` as in a refusal. */
  refused?(sentence: string, code: string): void
  waiting?(commands: number): void
  lamps?(lamps: Record<string, Lamp>): void
  pictures?(pictures: Pictures): void
  /** How much later this page is shown the game. */
  delay?(delay: Delay): void
  /** The event's look is this one now. */
  look?(look: LookNow): void
}

const ANSWER_WITHIN = 1500
const BURST = 6

export class Connection<V> {
  readonly clock = new ServiceClock(() => performance.now())
  private readonly socket: Socket
  private readonly outbox: Outbox
  private revision = 0
  private awaitingFirst = true
  private clockIsOld = false
  private state: LinkState = 'connecting'
  private probe: ReturnType<typeof setTimeout> | undefined
  private knock: ReturnType<typeof setTimeout> | undefined

  /** `probeEvery`: ms between two looks at the clock, which also notice a link that has gone silent. */
  constructor(
    private readonly page: Page,
    private readonly listener: Listener<V>,
    private readonly probeEvery = 10_000,
    token = takeToken(page),
  ) {
    this.socket = io({
      transports: ['websocket'],
      auth: { token, page, language: languageFromAddress(), ...(isSide ? { side: true } : {}) },
      reconnectionAttempts: Infinity,
      reconnectionDelay: 200,
      reconnectionDelayMax: 1500,
      timeout: 4000,
    })
    this.outbox = new Outbox(
      {
        ready: () => this.socket.connected,
        send: (command: Command) => this.ask<Answer>('command', command),
      },
      (waiting) => listener.waiting?.(waiting),
    )
    this.socket.on('connect', () => this.connected())
    this.socket.on('disconnect', (reason) => this.lost(reason === 'io server disconnect'))
    this.socket.on('connect_error', (error) => this.notLetIn(error))
    this.socket.on('view', (envelope: Envelope<V>) => this.received(envelope))
    this.socket.on('delay', (delay: Delay) => listener.delay?.(delay))
    this.socket.on('look', (look: LookNow) => listener.look?.(look))
    this.socket.on('lamps', (message: { lamps: Record<string, Lamp> }) => listener.lamps?.(message.lamps))
    this.socket.on('pictures', (pictures: Pictures) => listener.pictures?.(pictures))
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.measure(1))
    addEventListener('offline', () => this.tell('silent'))
  }

  /** `touched`: the local time of the touch, as in an event's `timeStamp`; none: now. */
  command(body: CommandBody, touched = performance.now()): Promise<Outcome> {
    return this.outbox.give(body, this.revision, this.clock.known ? this.clock.at(touched) : undefined)
  }

  /** Tries to get in at once: something has changed on this side. */
  again(): void {
    clearTimeout(this.knock)
    this.socket.connect()
  }

  /** Sends something that is worth nothing later; lost when the link is down. */
  async tellOnce(
    event: 'signal' | 'takeover' | 'command' | 'produce' | 'sound',
    payload: object,
  ): Promise<Answer | null> {
    return this.socket.connected ? this.ask<Answer>(event, payload).catch(() => null) : null
  }

  /** Something to read that is no view: null where no answer came. */
  async read<A>(
    event: 'history' | 'protocol' | 'position',
    within = 20_000,
  ): Promise<A | { ok: false; refusal: Refusal } | null> {
    if (!this.socket.connected) return null
    const answer = this.socket.timeout(within).emitWithAck(event, {}) as Promise<A>
    return answer.catch(() => null)
  }

  /** A command that is worth nothing later and decides nothing. */
  show(body: CommandBody): void {
    void this.tellOnce('command', { ...body, id: freshId(), revision: this.revision })
  }

  private ask<A>(event: string, payload: object): Promise<A> {
    return this.socket.timeout(ANSWER_WITHIN).emitWithAck(event, payload) as Promise<A>
  }

  // The first view may come before "connect" is told: what a connection begins with is set when the last one ends.
  private connected(): void {
    void this.measure(BURST)
    void this.outbox.flush()
  }

  private lost(byService: boolean): void {
    clearTimeout(this.probe)
    this.awaitingFirst = true
    this.clockIsOld = true
    this.tell('down')
    if (byService) setTimeout(() => this.socket.connect(), 500)
  }

  private notLetIn(error: Error & { data?: Partial<Refusal> }): void {
    if (this.socket.active) return this.tell('down') // the transport failed: it tries again by itself
    this.tell('down')
    this.listener.refused?.(error.data?.sentence ?? error.message, error.data?.code ?? '')
    clearTimeout(this.knock)
    this.knock = setTimeout(() => this.socket.connect(), 5000)
  }

  private received(envelope: Envelope<V>): void {
    if (reloadIfOld(envelope.build)) return
    if (envelope.audience !== this.page) {
      // Without its key a page is the hall; it must not wait for ever for a view that does not come.
      this.listener.refused?.(common.wrongLink, 'wrong_token')
      return
    }
    const first = this.awaitingFirst
    this.awaitingFirst = false
    this.renewClock()
    this.clock.hinted(envelope.now)
    this.revision = envelope.revision
    this.tell('up')
    this.listener.view(envelope, first)
  }

  /** The service may have restarted with another clock; until it is heard again the old one serves. */
  private renewClock(): void {
    if (!this.clockIsOld) return
    this.clockIsOld = false
    this.clock.reset()
  }

  private async measure(times: number): Promise<void> {
    clearTimeout(this.probe)
    for (let left = times; left > 0 && this.socket.connected; left--) {
      const asked = performance.now()
      const answer = await this.ask<{ t0: number; now: number }>('clock', { t0: asked }).catch(() => null)
      if (answer === null) {
        if (this.socket.connected) this.tell('silent')
        break
      }
      this.renewClock()
      this.clock.measured(asked, answer.now, performance.now())
      if (!this.awaitingFirst) this.tell('up')
    }
    clearTimeout(this.probe)
    this.probe = setTimeout(() => void this.measure(1), this.state === 'silent' ? 500 : this.probeEvery)
  }

  private tell(state: LinkState): void {
    if (state === this.state) return
    this.state = state
    this.listener.link(state)
  }
}
