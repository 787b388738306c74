import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AirView, Seat } from '../lib/messages'
import { calledNow, lit, nightTable, railOf, shotsOf, won } from './situation'

const folder = new URL('../../fixtures/', import.meta.url)
const air = (name: string): AirView =>
  (JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as { air: AirView }).air

describe('the rail', () => {
  it('holds one thing, the thing of the moment', () => {
    const rails = {
      speech: 'nominees',
      vote: 'vote',
      raise: 'vote',
      night: 'shots',
      check: 'check',
      last_word: 'best',
      over: 'result',
    }
    for (const [name, rail] of Object.entries(rails)) expect(railOf(air(name))).toBe(rail)
  })
  it('shows no shot while roles are covered', () => {
    expect(railOf(air('covered'))).toBeNull()
    expect(lit(air('covered'))).toBeNull()
    expect(nightTable(air('covered')).rows.map((row) => row.sign)).toEqual(['shot', 'hand'])
  })
  it('is decided for every fixture', () => {
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
      expect(() => railOf(air(file.slice(0, -5)))).not.toThrow()
    }
  })
})

describe('the night', () => {
  it('lights who is awake', () => {
    expect([...lit(air('night'))!]).toEqual([3, 7, 9] satisfies Seat[])
    expect([...lit(air('check'))!]).toEqual([5])
  })
  it('shows a question mark for who has not shot yet, and every shot of who shot twice', () => {
    expect(shotsOf(air('night')).at(-1)).toEqual({ from: 9, at: null })
    expect(shotsOf(air('night_miss')).filter((shot) => shot.from === 9)).toHaveLength(2)
  })
  it('fills the table with hits, misses and days without a departure', () => {
    const { columns, rows } = nightTable(air('over'))
    expect(columns).toEqual([1, 2, 3, 4])
    expect(rows.map((row) => row.cells.map((cell) => cell.text))).toEqual([
      ['2', '1', '5', '×'],
      ['1', '5', '4', '8'],
      ['1', '7', '3', '–'],
      ['–', '6', '3·7', '9'],
    ])
  })
  it('has at least two columns', () => {
    expect(nightTable(air('last_seconds')).columns).toEqual([1, 2])
  })
})

describe('the vote', () => {
  it('knows whose turn it is, and 0 for the raise question', () => {
    expect(calledNow(air('vote'))).toBe(7)
    expect(calledNow(air('raise'))).toBe(0)
    expect(calledNow(air('revote'))).toBeNull()
  })
  it('knows who won', () => {
    const view = air('over')
    expect(view.seats.filter((seat) => won(view, seat)).map((seat) => seat.seat)).toEqual([1, 2, 4, 5, 6, 8, 10])
  })
})
