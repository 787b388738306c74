import { expect, it } from 'vitest'
import type { Evidence } from '../lib/messages'
import { evidenceOf, type Kept, linesOf, scaleOf } from './timeline'

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

it('draws a kept window that is in no count with its touches and no vote', () => {
  const kept: Kept = {
    number: 2,
    fate: 'voided',
    day: true,
    round: 1,
    ballot: 1,
    candidate: 5,
    closed: 2000,
    flagged: false,
    lanes: [
      { seat: 1, touches: [], verdict: 'none' },
      {
        seat: 4,
        touches: [
          [250, 900],
          [1200, null],
        ],
        verdict: 'void',
      },
      { seat: 7, touches: [], verdict: 'ruled_no' },
    ],
  }
  expect(evidenceOf(kept)).toMatchObject({
    length: 2000,
    touches: [
      { seat: 4, down: 250, up: 900 },
      { seat: 4, down: 1200, up: null },
    ],
    hands: [],
    rulings: [{ seat: 7, counts: false }],
  })
  expect(linesOf(evidenceOf(kept), String).map((line) => [line.seat, line.fate])).toEqual([
    [4, null],
    [7, 'ruledNo'],
  ])
})
