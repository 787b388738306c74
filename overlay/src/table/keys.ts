// The keys of the simulated table, by the names of the contract, and the keyboard that presses them.

export type Sorted = { seats: string[]; boardSeats: string[]; buttons: string[] }

export function sortKeys(keys: readonly string[]): Sorted {
  const number = (key: string) => Number(key.split(' ')[1])
  const byNumber = (a: string, b: string) => number(a) - number(b)
  const seats = keys.filter((key) => /^seat \d+$/.test(key)).sort(byNumber)
  const boardSeats = keys.filter((key) => /^board \d+$/.test(key)).sort(byNumber)
  return { seats, boardSeats, buttons: keys.filter((key) => !seats.includes(key) && !boardSeats.includes(key)) }
}

/** Letters stand on the buttons; they go by place on the keyboard, so that any layout works. */
export const LETTERS: Record<string, string> = {
  KeyT: 'timer',
  KeyV: 'vote',
  KeyF: 'foul',
  KeyN: 'nominate',
  KeyR: 'remove',
  KeyM: 'night sound',
  KeyZ: 'undo',
  Space: 'next',
  Backspace: 'back',
}

export function keyOf(code: string, shift: boolean): string | null {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit !== undefined) {
    const seat = digit === '0' ? 10 : Number(digit)
    return shift ? `board ${seat}` : `seat ${seat}`
  }
  return LETTERS[code] ?? null
}

export function letterOf(key: string): string | null {
  const code = Object.entries(LETTERS).find(([, name]) => name === key)?.[0]
  return code === undefined ? null : code === 'Space' ? '␣' : code === 'Backspace' ? '⌫' : code.slice(3)
}
