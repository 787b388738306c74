import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

const require = createRequire(import.meta.url)

/** The ranges of code points that a weight's faces cover, as [first, last]. */
function covered(weight: number): [number, number][] {
  const css = readFileSync(require.resolve(`@fontsource/roboto-condensed/${weight}.css`), 'utf8')
  return [...css.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].map(([, first, last]) => [
    parseInt(first!, 16),
    parseInt(last ?? first!, 16),
  ])
}

test.each([400, 700])('the font of weight %i has every letter of Russian, Ukrainian and English', (weight) => {
  const ranges = covered(weight)
  const letters = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяҐЄІЇґєіїAZaz№—«»’'
  const missing = [...letters].filter((letter) => {
    const point = letter.codePointAt(0)!
    return !ranges.some(([first, last]) => first <= point && point <= last)
  })
  expect(missing).toEqual([])
})
