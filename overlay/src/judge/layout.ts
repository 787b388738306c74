// Where the seats stand round the felt, clockwise from the judge's left hand; the judge sits at the bottom edge.

export type Place = { left: number; top: number; scale: number }

const TEN: readonly [number, number][] = [
  [176, 392],
  [0, 300],
  [0, 178],
  [78, 40],
  [254, 0],
  [430, 0],
  [606, 40],
  [680, 178],
  [680, 300],
  [504, 392],
]
export const SEAT = { width: 168, height: 112 }
export const TABLE = { width: 848, height: 504 }

/** Ten seats stand as drawn; any other number on an ellipse, small enough not to touch. */
export function places(count: number): Place[] {
  if (count === 10) return TEN.map(([left, top]) => ({ left, top, scale: 1 }))
  const scale = count < 10 ? 0.9 : Math.max(0.5, 8.2 / count)
  const across = (TABLE.width - SEAT.width * scale) / 2
  const down = (TABLE.height - SEAT.height * scale) / 2
  const gap = 0.5 // radians kept free for the judge
  return Array.from({ length: count }, (_, i) => {
    const turn = Math.PI / 2 + gap + ((2 * Math.PI - 2 * gap) * i) / Math.max(count - 1, 1)
    return { left: across + across * Math.cos(turn), top: down + down * Math.sin(turn), scale }
  })
}
