// However many sit at the table: nobody lies over anybody, over the judge's place or over the middle.
import { describe, expect, it } from 'vitest'
import { places, SEAT, TABLE } from './layout'

type Box = { left: number; top: number; right: number; bottom: number }
const MIDDLE: Box = { left: 190, top: 160, right: 658, bottom: 376 }
const JUDGE: Box = { left: 352, top: 470, right: 496, bottom: 504 }
const apart = (a: Box, b: Box) =>
  a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5

describe('the seats', () => {
  for (let count = 8; count <= 20; count++) {
    it(`of ${count} stand apart and in the table`, () => {
      const boxes = places(count).map(({ left, top, scale }) => ({
        left,
        top,
        right: left + SEAT.width * scale,
        bottom: top + SEAT.height * scale,
      }))
      expect(boxes).toHaveLength(count)
      boxes.forEach((box, i) => {
        expect(box.left).toBeGreaterThanOrEqual(-0.5)
        expect(box.top).toBeGreaterThanOrEqual(-0.5)
        expect(box.right).toBeLessThanOrEqual(TABLE.width + 0.5)
        expect(box.bottom).toBeLessThanOrEqual(TABLE.height + 0.5)
        expect(apart(box, MIDDLE), `${i + 1} and the middle`).toBe(true)
        expect(apart(box, JUDGE), `${i + 1} and the judge`).toBe(true)
        boxes.slice(i + 1).forEach((other, j) => expect(apart(box, other), `${i + 1} and ${i + j + 2}`).toBe(true))
        // A fingertip on the smallest tablet, which shows the page at eight tenths.
        expect((box.bottom - box.top) * 0.8).toBeGreaterThanOrEqual(48)
      })
    })
  }
})
