// Text widths from the real font, and type that shrinks until it fits its box.
import type { Attachment } from 'svelte/attachments'
import { createSubscriber } from 'svelte/reactivity'

const OWN = '"Roboto Condensed"'
let family = OWN
let pen: CanvasRenderingContext2D | null = null
const changed = new Set<() => void>()
/** What was measured is measured anew when the face is another. */
const face = createSubscriber((update) => {
  changed.add(update)
  return () => changed.delete(update)
})

/** Measures with another face from now on; null: the pages' own. */
export function measureWith(name: string | null): void {
  const wanted = name === null ? OWN : `"${name}"`
  if (wanted === family) return
  family = wanted
  for (const update of changed) update()
}

/** Width in px of bold text, letter spacing of the plates included. */
export function boldWidth(text: string, size: number): number {
  face()
  pen ??= document.createElement('canvas').getContext('2d')
  if (pen === null) return text.length * size * 0.5
  pen.font = `700 ${size}px ${family}, "PT Sans Narrow", "Arial Narrow", sans-serif`
  return pen.measureText(text).width
}

/** Waits for the faces that are measured with, but never longer than the picture may stay empty. */
export async function fontsReady(within = 1500): Promise<void> {
  const faces = [500, 600, 700].flatMap((weight) =>
    ['Жй', 'Wg0'].map((text) => document.fonts.load(`${weight} 26px ${family}`, text)),
  )
  await Promise.race([Promise.allSettled(faces), new Promise((late) => setTimeout(late, within))])
}

/** Takes the first of `sizes` (largest first) at which the element's text does not overflow it. */
export function shrink(sizes: number[], _text: unknown): Attachment<HTMLElement> {
  return (element) => {
    face()
    for (const size of sizes) {
      element.style.fontSize = `${size}px`
      if (element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1) break
    }
  }
}
