import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JudgeView } from '../lib/messages'
import { meaning, momentOf } from './tap'

const judge = (name: string): JudgeView =>
  (JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')) as { judge: JudgeView })
    .judge

describe('touching a seat', () => {
  it('nominates in a speech, also where the table will say that it is not legal', () => {
    expect(meaning(judge('speech'), 8, false)).toEqual({ kind: 'command', body: { do: 'nominate', by: 4, seat: 8 } })
    expect(meaning(judge('speech'), 3, false)).toEqual({ kind: 'command', body: { do: 'nominate', by: 4, seat: 3 } })
    expect(meaning(judge('revote_speech'), 3, false)).toEqual({ kind: 'menu' })
  })
  it('adds a hand that was not counted and takes off one that was', () => {
    const rule = (seat: number) => meaning(judge('vote'), seat, false)
    expect(rule(10)).toEqual({ kind: 'command', body: { do: 'rule', candidate: 7, seat: 10, counts: true } })
    expect(rule(5)).toEqual({ kind: 'command', body: { do: 'rule', candidate: 7, seat: 5, counts: false } })
    expect(rule(4)).toEqual({ kind: 'command', body: { do: 'rule', candidate: 7, seat: 4, counts: true } })
  })
  it('rules the last counted hands while the next candidate is called', () => {
    const view = judge('vote')
    const [first, ...rest] = view.vote!.candidates
    const called = {
      ...view.vote!,
      candidates: [
        { ...first!, state: 'counted' as const },
        { ...rest[0]!, state: 'called' as const },
      ],
    }
    expect(meaning({ ...view, vote: called }, 10, false)).toEqual({
      kind: 'command',
      body: { do: 'rule', candidate: first!.seat, seat: 10, counts: true },
    })
  })
  it('rules the raise question under null', () => {
    expect(meaning(judge('raise'), 9, false)).toEqual({
      kind: 'command',
      body: { do: 'rule', candidate: null, seat: 9, counts: true },
    })
  })
  it('counts by eye while the judge counts by eye', () => {
    expect(meaning(judge('vote_called'), 9, true)).toEqual({ kind: 'count' })
  })
  it('aims, checks, deals, names the best move', () => {
    expect(meaning(judge('night'), 5, false)).toEqual({ kind: 'target' })
    expect(meaning(judge('check'), 9, false)).toEqual({
      kind: 'command',
      body: { do: 'check', by: 'sheriff', seat: 9 },
    })
    expect(meaning(judge('dealing'), 6, false)).toEqual({ kind: 'deal' })
    expect(meaning(judge('last_word'), 3, false)).toEqual({ kind: 'number' })
    expect(meaning(judge('over'), 3, false)).toEqual({ kind: 'points' })
  })
  it('keeps choices only within one moment', () => {
    expect(momentOf(judge('vote'))).not.toBe(momentOf(judge('vote_called')))
    expect(momentOf(judge('speech'))).toBe(momentOf({ ...judge('speech'), nominations: [] }))
  })
})
