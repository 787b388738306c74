import { expect, it } from 'vitest'
import { keyOf, letterOf, sortKeys } from './keys'

it('tells a hand from a key of the board', () => {
  expect(keyOf('Digit4', false)).toBe('seat 4')
  expect(keyOf('Digit4', true)).toBe('board 4')
  expect(keyOf('Digit0', false)).toBe('seat 10')
  expect(keyOf('Space', false)).toBe('next')
  expect(keyOf('KeyQ', false)).toBeNull()
})

it('sorts whatever keys the table has', () => {
  const sorted = sortKeys(['seat 10', 'seat 2', 'next', 'board 1', 'bell'])
  expect(sorted).toEqual({ seats: ['seat 2', 'seat 10'], boardSeats: ['board 1'], buttons: ['next', 'bell'] })
})

it('writes the letter on the button', () => {
  expect(letterOf('foul')).toBe('F')
  expect(letterOf('bell')).toBeNull()
})
