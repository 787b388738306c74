// How a player's picture lies in the card's frame, and whose a file is by its name. Pure.

/** Pixels of a card's picture, as the service keeps it (`PORTRAIT` of controller/service/pictures.py). */
export const CARD = { width: 656, height: 712 } as const
/** Pixels of the shorter side that a card's picture must have. */
export const LEAST = 160

/** How a picture lies in the card's frame: `zoom` 1 just fills it; `x`, `y`: of what sticks out, 0 to 1. */
export type Cut = { zoom: number; x: number; y: number }

/** High up, as portraits are. */
export const AS_PORTRAITS: Cut = { zoom: 1, x: 0.5, y: 0.15 }

/** The part of a picture that the frame shows, in its own pixels. */
export function part(width: number, height: number, cut: Cut): { x: number; y: number; width: number; height: number } {
  const scale = Math.max(CARD.width / width, CARD.height / height) * cut.zoom
  const [wide, high] = [CARD.width / scale, CARD.height / scale]
  return { x: (width - wide) * cut.x, y: (height - high) * cut.y, width: wide, height: high }
}

/** The cut after the picture was moved by so many pixels of the frame. */
export function moved(width: number, height: number, cut: Cut, dx: number, dy: number): Cut {
  const shown = part(width, height, cut)
  const by = (delta: number, whole: number, seen: number, frame: number, at: number) =>
    whole - seen < 0.5 ? at : Math.min(1, Math.max(0, at - (delta * seen) / frame / (whole - seen)))
  return {
    zoom: cut.zoom,
    x: by(dx, width, shown.width, CARD.width, cut.x),
    y: by(dy, height, shown.height, CARD.height, cut.y),
  }
}

/** How far a picture may be drawn near before it is unsharp; below 1: it is too small as it is. */
export function mostZoom(width: number, height: number): number {
  const whole = part(width, height, { zoom: 1, x: 0, y: 0 })
  return Math.min(4, whole.width / LEAST)
}

/** The player whom a file is named like; null: nobody. */
export function named(file: string, players: readonly { name: string }[]): string | null {
  const folded = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
  const name = folded(file.replace(/\.[^.]*$/, ''))
  return players.find((one) => folded(one.name) === name)?.name ?? null
}
