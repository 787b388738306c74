import { expect, it } from 'vitest'
import type { Evidence } from '../lib/messages'
import { linesOf, scaleOf } from './timeline'

const evidence: Evidence = {
  ballot: 1,
  candidate: 3,
  length: 2000,
  touches: [
    { seat: 8, down: -640, up: null },
    { seat: 4, down: 420, up: 2600 },
  ],
  hands: [4],
  late: [],
  rulings: [{ seat: 9, counts: false }],
  flagged: false,
}

it('draws every touch inside the stretch it shows, to the millisecond in words', () => {
  const lines = linesOf(evidence, String)
  expect(lines.map((line) => [line.seat, line.fate])).toEqual([
    [8, null],
    [4, 'counted'],
    [9, 'ruledNo'],
  ])
  for (const bar of lines.flatMap((line) => line.bars)) {
    expect(bar.from).toBeGreaterThanOrEqual(0)
    expect(bar.to).toBeLessThanOrEqual(1)
  }
  expect(lines[1]!.bars[0]!.text).toBe('420 … 2600')
  expect(scaleOf(evidence).at(0)).toBeLessThan(scaleOf(evidence).at(2000))
})
