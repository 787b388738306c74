// The event's look: fetched once before the first picture and again when the service says that it is another, put into
// the colour tokens of tokens.css. Without it the pages look as they were drawn.
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

const FACES_WITHIN = 1500
const AGAIN_AFTER = 2000

/** The look that is worn. */
export const theme: Theme = $state(PLAIN)

let worn = ''
let told: string | null = null
let faces: FontFace[] = []
// Not a style element: the service's pages allow none that is not a file.
const night = new CSSStyleSheet()
/** One at a time: an answer that comes late must not undo a newer one. */
let putting: Promise<boolean> | null = null

/** Puts the look on: `?theme=light` in the address, else the one that the service was given. */
export async function dress(within = 1500): Promise<void> {
  document.adoptedStyleSheets.push(night)
  putting = put(within)
  await putting
}

/** The service's look is `version` now. Pages that wear none stay as they are; one that is asked for in the address has
 * the event's logo and sponsors on it, and those may be others. */
export function redress(version: string): void {
  if (putting === null || version === told) return
  told = version
  putting = putting.then(() => put(10_000))
  void putting.then((done) => {
    if (done || told !== version) return
    setTimeout(() => {
      if (told !== version) return
      told = null
      redress(version)
    }, AGAIN_AFTER)
  })
}

function asked(): string | null {
  const name = query.get('theme')
  return name !== null && /^[a-z]+$/.test(name) ? name : null
}

/** Whether the service has answered. No look is no reason to show nothing. */
async function put(within: number): Promise<boolean> {
  const name = asked()
  try {
    const answer = await fetch(name !== null ? `/theme/${name}.json` : '/theme.json', {
      signal: AbortSignal.timeout(within),
    })
    if (!answer.ok) return false
    const text = await answer.text()
    if (text !== worn) {
      await wear(JSON.parse(text) as Theme)
      worn = text
    }
    return true
  } catch {
    return false
  }
}

async function wear(look: Theme): Promise<void> {
  const others = faces
  faces = Object.entries(look.faces).map(([weight, file]) => new FontFace(look.family!, `url("${file}")`, { weight }))
  for (const face of faces) document.fonts.add(face)
  // The face first: a page that is on air changes at once, not colour by colour.
  await Promise.race([
    Promise.allSettled(faces.map((face) => face.load())),
    new Promise((late) => setTimeout(late, FACES_WITHIN)),
  ])
  for (const face of others) document.fonts.delete(face)
  Object.assign(theme, look)
  const root = document.documentElement
  for (const [name, value] of tokens(look.colours)) root.style.setProperty(name, value)
  for (const [name, value] of [
    ['--lower-plane', look.lower_plane],
    ['--lower-text', look.lower_text],
    ['--safe-x', `${look.safe_x}px`],
    ['--safe-y', `${look.safe_y}px`],
  ])
    root.style.setProperty(name!, value!)
  const dark = tokens(look.night).map(([name, value]) => `${name}: ${value};`)
  night.replaceSync(dark.length > 0 ? `.night, .dark { ${dark.join(' ')} }` : '')
  if (look.family === null) root.style.removeProperty('--face')
  else root.style.setProperty('--face', `"${look.family}"`)
  measureWith(look.family)
}

function tokens(colours: Record<string, string>): [string, string][] {
  const found = Object.entries(colours).map(([name, value]): [string, string] => [`--${name}`, value])
  const line = colours.paper
  if (line !== undefined) found.push(['--hairline', `inset 0 3px 0 ${line}57`])
  return found
}
