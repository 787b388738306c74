// Where the bars of a window's evidence stand. Pure.
import type { Evidence, Seat } from '../lib/messages'

export type Bar = { from: number; to: number; text: string }
export type Line = { seat: Seat; bars: Bar[]; fate: 'counted' | 'late' | 'ruledYes' | 'ruledNo' | null }
export type Scale = { start: number; end: number; at: (ms: number) => number }

/** The stretch shown: what was touched, the window, and a margin; in parts of the whole, 0 to 1. */
export function scaleOf(evidence: Evidence): Scale {
  const downs = evidence.touches.map((touch) => touch.down)
  const ups = evidence.touches.map((touch) => touch.up ?? evidence.length)
  const start = Math.max(Math.min(-300, ...downs) - 100, -2000)
  const end = Math.min(Math.max(evidence.length + 400, ...ups) + 100, evidence.length + 3000)
  return { start, end, at: (ms) => Math.min(1, Math.max(0, (ms - start) / (end - start))) }
}

export function linesOf(evidence: Evidence, signed: (ms: number) => string): Line[] {
  const scale = scaleOf(evidence)
  const ruled = new Map(evidence.rulings.map((ruling) => [ruling.seat, ruling.counts]))
  const seats = [
    ...new Set([...evidence.touches.map((touch) => touch.seat), ...evidence.hands, ...evidence.late, ...ruled.keys()]),
  ]
  return seats.map((seat) => {
    const verdict = ruled.get(seat)
    const fate =
      verdict !== undefined
        ? verdict
          ? 'ruledYes'
          : 'ruledNo'
        : evidence.hands.includes(seat)
          ? 'counted'
          : evidence.late.includes(seat)
            ? 'late'
            : null
    const bars = evidence.touches
      .filter((touch) => touch.seat === seat)
      .map((touch) => ({
        from: scale.at(touch.down),
        to: touch.up === null ? 1 : scale.at(touch.up),
        text: touch.up === null ? signed(touch.down) : `${signed(touch.down)} … ${signed(touch.up)}`,
      }))
    return { seat, bars, fate }
  })
}

/** A window as the journal keeps it, from `/evidence`: also one that is in no count. */
export type Kept = {
  number: number
  fate: 'counted' | 'voided' | 'taken_back' | 'open'
  day: boolean
  round: number
  ballot: number
  candidate: Seat
  closed: number
  flagged: boolean
  lanes: { seat: Seat; touches: [number, number | null][]; verdict: string }[]
}

/** The kept window as the timeline draws it. */
export function evidenceOf(kept: Kept): Evidence {
  const seatsOf = (...verdicts: string[]) =>
    kept.lanes.filter((lane) => verdicts.includes(lane.verdict)).map((lane) => lane.seat)
  return {
    ballot: kept.ballot,
    candidate: kept.candidate,
    length: kept.closed,
    touches: kept.lanes.flatMap((lane) => lane.touches.map(([down, up]) => ({ seat: lane.seat, down, up }))),
    hands: seatsOf('counted', 'ruled_yes'),
    late: seatsOf('late'),
    rulings: [
      ...seatsOf('ruled_yes').map((seat) => ({ seat, counts: true })),
      ...seatsOf('ruled_no').map((seat) => ({ seat, counts: false })),
    ],
    flagged: kept.flagged,
  }
}
