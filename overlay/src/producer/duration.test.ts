import { expect, test } from 'vitest'
import { duration, lost } from './duration'

test('seconds read as a clock', () => {
  expect(duration(0)).toBe('00:00')
  expect(duration(71.9)).toBe('01:11')
  expect(duration(3600 + 62)).toBe('1:01:02')
})

test('lost frames are a share of all, and none of none', () => {
  expect(lost({ active: true, paused: false, seconds: 1, skipped: 5, total: 200 })).toBe('2.5')
  expect(lost({ active: true, paused: false, seconds: 1, skipped: 0, total: 0 })).toBe('0.0')
})
