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
/** What the mark of the judge's own place takes of the bottom edge. */
const JUDGE = 152

const GAP = 4
const IN_A_ROW = 4

/** How many sit at each edge: `corner` on either side of the judge, `side` on the left and the right, `top` across. */
function edges(count: number): { corner: number; side: number; top: number } {
  const corner = count > 14 ? 2 : 1
  const side = Math.min(5, Math.floor((count - 2 * corner) / 3))
  return { corner, side, top: count - 2 * corner - 2 * side }
}

/** More than ten stand along the four edges, as large as the side with the most of them lets them be. */
function along(count: number): Place[] {
  const { corner, side, top } = edges(count)
  const rows = side + 2
  const scale = Math.min(0.9, (TABLE.height - GAP * (rows - 1)) / rows / SEAT.height)
  const width = SEAT.width * scale
  const step = (TABLE.height - SEAT.height * scale) / (rows - 1)
  const right = TABLE.width - width
  const bottom = TABLE.height - SEAT.height * scale
  const inner = (TABLE.width - JUDGE) / 2 - width
  const pitch = Math.max(width + GAP, right / top)
  const across = (i: number) => inner - i * (width + GAP)
  return [
    ...Array.from({ length: corner }, (_, i) => ({ left: across(i), top: bottom, scale })),
    ...Array.from({ length: side }, (_, i) => ({ left: 0, top: bottom - step * (i + 1), scale })),
    ...Array.from({ length: top }, (_, i) => ({ left: right / 2 + (i - (top - 1) / 2) * pitch, top: 0, scale })),
    ...Array.from({ length: side }, (_, i) => ({ left: right, top: step * (i + 1), scale })),
    ...Array.from({ length: corner }, (_, i) => ({ left: right - across(corner - 1 - i), top: bottom, scale })),
  ]
}

/** On a phone the seats stand in rows of four below the middle, which is as high as `below`. */
export function inRows(count: number, across: number, below: number): { places: Place[]; height: number } {
  const scale = (across - GAP * (IN_A_ROW - 1)) / IN_A_ROW / SEAT.width
  const [right, down] = [SEAT.width * scale + GAP, SEAT.height * scale + GAP]
  const places = Array.from({ length: count }, (_, i) => ({
    left: (i % IN_A_ROW) * right,
    top: below + Math.floor(i / IN_A_ROW) * down,
    scale,
  }))
  return { places, height: below + Math.ceil(count / IN_A_ROW) * down - GAP }
}

/** Ten seats stand as drawn, fewer on an ellipse that is small enough for them not to touch. */
export function places(count: number): Place[] {
  if (count === 10) return TEN.map(([left, top]) => ({ left, top, scale: 1 }))
  if (count > 10) return along(count)
  const scale = 0.9
  const across = (TABLE.width - SEAT.width * scale) / 2
  const down = (TABLE.height - SEAT.height * scale) / 2
  const gap = 0.5 // radians kept free for the judge
  return Array.from({ length: count }, (_, i) => {
    const turn = Math.PI / 2 + gap + ((2 * Math.PI - 2 * gap) * i) / Math.max(count - 1, 1)
    return { left: across + across * Math.cos(turn), top: down + down * Math.sin(turn), scale }
  })
}
