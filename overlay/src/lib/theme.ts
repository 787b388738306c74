// The event's look: fetched once before the first picture, put into the colour tokens of tokens.css. Without it the
// pages look as they were drawn.
import { query } from './entry'
import { measureWith } from './measure'
import type { Theme } from './messages'

const PLAIN: Theme = {
  name: '',
  colours: {},
  night: {},
  family: null,
  faces: {},
  logo: null,
  sponsors: [],
  side: 'left',
  lower_plane: '#12161d',
  lower_text: '#f5f2ea',
  safe_x: 96,
  safe_y: 54,
}

/** The look that is worn; set before anything is drawn. */
export let theme = PLAIN

/** Puts the look on: `?theme=light` in the address, else the one that the service was given. */
export async function dress(within = 1500): Promise<void> {
  const asked = query.get('theme')
  const address = asked !== null && /^[a-z]+$/.test(asked) ? `/theme/${asked}.json` : '/theme.json'
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(within) })
    if (answer.ok) wear((await answer.json()) as Theme)
  } catch {
    // No look is no reason to show nothing.
  }
}

function wear(look: Theme): void {
  theme = look
  const root = document.documentElement
  for (const [name, value] of tokens(look.colours)) root.style.setProperty(name, value)
  for (const [name, value] of [
    ['--lower-plane', look.lower_plane],
    ['--lower-text', look.lower_text],
    ['--safe-x', `${look.safe_x}px`],
    ['--safe-y', `${look.safe_y}px`],
  ])
    root.style.setProperty(name!, value!)
  if (Object.keys(look.night).length > 0) {
    const night = document.createElement('style')
    night.textContent = `.night, .dark { ${tokens(look.night)
      .map(([name, value]) => `${name}: ${value};`)
      .join(' ')} }`
    document.head.append(night)
  }
  if (look.family !== null) {
    for (const [weight, file] of Object.entries(look.faces)) {
      document.fonts.add(new FontFace(look.family, `url("${file}")`, { weight }))
    }
    root.style.setProperty('--face', `"${look.family}"`)
    measureWith(look.family)
  }
}

function tokens(colours: Record<string, string>): [string, string][] {
  const found = Object.entries(colours).map(([name, value]): [string, string] => [`--${name}`, value])
  const line = colours.paper
  if (line !== undefined) found.push(['--hairline', `inset 0 3px 0 ${line}57`])
  return found
}
