// The connection as something a page can read from: the last view, the link, the service's time. What a page shows is
// a function of these.
import { createSubscriber } from 'svelte/reactivity'
import { Connection, type LinkState } from './connection'
import type { Delay, Lamp, Page, Pictures } from './messages'
import { drawStill } from './motion'
import { redress } from './theme.svelte'

export class Live<V> {
  view = $state.raw<V | null>(null)
  revision = $state(0)
  link = $state<LinkState>('connecting')
  refused = $state<string | null>(null)
  /** Why the service does not let this page in, as a code; empty once it does. */
  refusedFor = $state('')
  waiting = $state(0)
  lamps = $state.raw<Record<string, Lamp>>({})
  pictures = $state.raw<Pictures | null>(null)
  delay = $state.raw<Delay | null>(null)
  readonly connection: Connection<V>

  /** `token`: where the page shows several tables, what opens this one. */
  constructor(page: Page, probeEvery?: number, token?: string) {
    this.connection = new Connection<V>(
      page,
      {
        view: (envelope, first) => {
          if (first) drawStill()
          this.view = envelope.view
          this.revision = envelope.revision
          // For whoever looks at the page from outside: what it shows.
          document.documentElement.dataset.revision = String(envelope.revision)
          this.refused = null
          this.refusedFor = ''
        },
        link: (state) => (this.link = state),
        refused: (sentence, code) => {
          this.refused = sentence
          this.refusedFor = code
          // Whoever is not let in any more keeps nothing on the screen of what could be seen before.
          if (code !== 'too_many_screens') this.view = null
        },
        waiting: (commands) => (this.waiting = commands),
        delay: (delay) => (this.delay = delay),
        look: (look) => redress(look.version),
        lamps: (lamps) => (this.lamps = lamps),
        pictures: (pictures) => (this.pictures = pictures),
      },
      probeEvery,
      token,
    )
  }

  private readonly frames = createSubscriber((update) => {
    let frame = 0
    const draw = () => {
      update()
      frame = requestAnimationFrame(draw)
    }
    frame = requestAnimationFrame(draw)
    document.addEventListener('visibilitychange', update)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('visibilitychange', update)
    }
  })

  /** The service's time, ms; whoever reads it in an effect or a template is drawn again on every frame. */
  get now(): number {
    this.frames()
    return this.connection.clock.now()
  }
}
