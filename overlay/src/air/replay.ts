// A vote window's kept evidence as lanes. Times are milliseconds from the opening. Pure.
import type { Evidence, Seat } from '../lib/messages'

/** How many times slower than it was. */
export const SLOWER = 4
/** So much before the opening is in the picture, for hands that came too early. */
export const BEFORE = 400
/** So much after the close, for those that came too late. */
export const AFTER = 500

export type Verdict = 'counted' | 'late' | 'other' | 'none'
export type Bar = { from: number; to: number }
export type Lane = { seat: Seat; bars: Bar[]; verdict: Verdict; at: number }

export function spanOf(evidence: Evidence): number {
  return BEFORE + evidence.length + AFTER
}

/** A lane for each of `seats`: when its hand was down, what it was read as, and since when that is known. */
export function lanesOf(evidence: Evidence, seats: readonly Seat[]): Lane[] {
  const end = evidence.length + AFTER
  return seats.map((seat) => {
    const touches = evidence.touches.filter((touch) => touch.seat === seat)
    const bars = touches
      .map((touch) => ({ from: Math.max(touch.down, -BEFORE), to: Math.min(touch.up ?? end, end) }))
      .filter((bar) => bar.to > bar.from)
    const first = bars.find((bar) => bar.to > 0)?.from ?? 0
    if (evidence.hands.includes(seat)) return { seat, bars, verdict: 'counted', at: Math.max(first, 0) }
    if (evidence.late.includes(seat)) return { seat, bars, verdict: 'late', at: evidence.length }
    // What was not taken is told when the window has closed, as it was at the table.
    return { seat, bars, verdict: bars.length > 0 ? 'other' : 'none', at: evidence.length }
  })
}
