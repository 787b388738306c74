import { describe, expect, test } from 'vitest'
import { AS_PORTRAITS, CARD, LEAST, moved, mostZoom, named, part } from './frame'

const SIZES = [
  [600, 900],
  [4000, 3000],
  [656, 712],
  [180, 2000],
] as const

describe('the part that the frame shows', () => {
  test.each(SIZES)('of %i x %i has the card’s form and lies on the picture', (width, height) => {
    for (const zoom of [1, 2.5])
      for (const at of [0, 0.3, 1]) {
        const shown = part(width, height, { zoom, x: at, y: at })
        expect(shown.width / shown.height).toBeCloseTo(CARD.width / CARD.height)
        expect(shown.x).toBeGreaterThanOrEqual(-1e-9)
        expect(shown.y).toBeGreaterThanOrEqual(-1e-9)
        expect(shown.x + shown.width).toBeLessThanOrEqual(width + 1e-9)
        expect(shown.y + shown.height).toBeLessThanOrEqual(height + 1e-9)
      }
  })

  test('follows the hand, and stops at the edges', () => {
    const [width, height] = [2000, 1000]
    const before = part(width, height, AS_PORTRAITS)
    const after = part(width, height, moved(width, height, AS_PORTRAITS, CARD.width / 4, 50))
    expect(after.x).toBeCloseTo(before.x - before.width / 4)
    expect(after.y).toBeCloseTo(before.y)
    expect(part(width, height, moved(width, height, AS_PORTRAITS, 1e6, 0)).x).toBeCloseTo(0)
    expect(part(width, height, moved(width, height, AS_PORTRAITS, -1e6, 0)).x).toBeCloseTo(width - before.width)
  })

  test('is never drawn nearer than it is sharp', () => {
    for (const [width, height] of SIZES) {
      const most = mostZoom(width, height)
      expect(part(width, height, { zoom: most, x: 0, y: 0 }).width).toBeGreaterThanOrEqual(LEAST - 1e-6)
    }
    expect(mostZoom(100, 400)).toBeLessThan(1)
  })
})

test('a file belongs to the player whom it is named like', () => {
  const players = ['Ёж', 'Мисс Провидение'].map((name) => ({ name }))
  expect(named('ёж.JPG', players)).toBe('Ёж')
  expect(named('Ёж.jpg'.normalize('NFD'), players)).toBe('Ёж')
  expect(named(' Мисс  провидение.png', players)).toBe('Мисс Провидение')
  expect(named('IMG_2231.jpg', players)).toBe(null)
})
