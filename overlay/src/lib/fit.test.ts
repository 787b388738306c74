import { describe, expect, it } from 'vitest'
import { AIR_PLATE, fitName, type Measure } from './fit'

/** A font whose letters are all 0.52 em wide, but for the narrow ones. */
const measure: Measure = (text, size) =>
  [...text].reduce(
    (sum, letter) => sum + ('ijl.,-…·1 '.includes(letter) ? 0.26 : 'ЖШЩМЮWM'.includes(letter) ? 0.7 : 0.48),
    0,
  ) * size

const fitted = (name: string) => fitName(name, AIR_PLATE, measure)
const widest = (name: string) => {
  const { lines, size, squeeze } = fitted(name)
  return Math.max(...lines.map((line) => measure(line, size))) * squeeze
}

describe('a nickname on its plate', () => {
  it('stands on one line as large as it can', () => {
    expect(fitted('Ёж')).toEqual({ lines: ['Ёж'], size: 30, squeeze: 1 })
    expect(fitted('Шахматистка')).toEqual({ lines: ['Шахматистка'], size: 26, squeeze: 1 })
  })

  it('breaks at a space before it breaks a word', () => {
    expect(fitted('Северная Пальмира').lines).toEqual(['Северная', 'Пальмира'])
    expect(fitted('Барон Мюнхгаузен').lines).toEqual(['Барон', 'Мюнхгаузен'])
  })

  it('hyphenates a long word after a vowel near its middle', () => {
    expect(fitted('Велосипедостроитель').lines).toEqual(['Велосипедо-', 'строитель'])
  })

  it('breaks an English word before the last of its consonants', () => {
    expect(fitted('Whimsicalwordsmith').lines).toEqual(['Whimsical-', 'wordsmith'])
    expect(fitted('Incomprehensibility').lines).toEqual(['Incomprehen-', 'sibility'])
  })

  it('is a little narrower before it breaks a word that its own hyphen could end', () => {
    const { lines, size, squeeze } = fitted('Quartermaster-General')
    expect(lines).toEqual(['Quartermaster-', 'General'])
    expect(size).toBe(24)
    expect(squeeze).toBeGreaterThan(0.86)
    expect(squeeze).toBeLessThan(1)
    const loose = { ...AIR_PLATE, squeeze: 0.5 }
    expect(fitName('Достопримечательность Заокеанская', loose, measure).squeeze).toBeLessThan(0.86)
    expect(fitName('Incomprehensibilities-X', loose, measure).lines).toEqual(['Incomprehen-', 'sibilities-X'])
  })

  it('keeps the hyphen that a name already has', () => {
    expect(fitted('Санта-Барбара-Бич').lines.join('')).toBe('Санта-Барбара-Бич')
  })

  it('breaks between two consonants as readily as after a vowel', () => {
    expect(fitted('Їжакуватеньківський').lines).toEqual(['Їжакуватень-', 'ківський'])
  })

  it('breaks a word without a vowel rather than cutting it', () => {
    expect(fitted('WWWWWWWWWWWW').lines).toEqual(['WWWWWW-', 'WWWWWW'])
  })

  it('squeezes, then cuts, and never leaves the plate', () => {
    const endless = 'Щучжмшщыыыжшщъёёжшмщюю Щучжмшщыжшщыъёёжшмщю'
    expect(fitted(endless).squeeze).toBeGreaterThanOrEqual(AIR_PLATE.squeeze)
    expect(fitted(endless).lines.some((line) => line.endsWith('…'))).toBe(true)
    for (const name of [endless, 'Ж', 'WWWWWWWWWWWWWWWWWWWWWWWW', 'Бб Вв Гг Дд Ее Жж', 'ЪЬЪЬЪЬЪЬЪЬЪЬЪЬЪЬЪЬЪЬЪЬ']) {
      expect(widest(name)).toBeLessThanOrEqual(AIR_PLATE.width + 0.5)
    }
  })

  it('is never smaller than the smallest size', () => {
    for (const name of ['Ёж', 'Велосипедостроитель', 'Превысокомногорассмотрительствующий']) {
      expect(fitted(name).size).toBeGreaterThanOrEqual(24)
    }
  })

  it('takes an empty name as it is', () => {
    expect(fitted('').lines).toEqual([''])
  })
})
