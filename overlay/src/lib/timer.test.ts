import { describe, expect, it } from 'vitest'
import type { Timer } from './messages'
import { left, minutes, rest, seconds, tenths } from './timer'

const running: Timer = { id: 'a', kind: 'minute', total: 60_000, running: true, deadline: 100_000, left: 60_000 }

describe('seconds on a screen', () => {
  it('are deadline minus now while the timer runs', () => {
    expect(left(running, 57_900)).toBe(42_100)
    expect(seconds(42_100)).toBe(43)
    expect(minutes(60_000)).toBe('1:00')
    expect(minutes(9_001)).toBe('0:10')
  })
  it('stand still while it is paused', () => {
    expect(left({ ...running, running: false, deadline: null, left: 12_345 }, 999_999)).toBe(12_345)
  })
  it('end at nought and never show more than the whole', () => {
    expect(left(running, 500_000)).toBe(0)
    expect(left(running, 0)).toBe(60_000)
  })
  it('drain a window in a straight line', () => {
    const window = { opened: 1000, closes: 3000 }
    expect(rest(window, 900)).toBe(1)
    expect(rest(window, 2000)).toBe(0.5)
    expect(rest(window, 9000)).toBe(0)
    expect(tenths(1150, ',')).toBe('1,2')
  })
})
