// Fits a nickname into its plate by measuring it. Never makes it smaller than the smallest size it is given.

export type Measure = (text: string, size: number) => number
export type Plate = { width: number; one: number[]; two: number[]; squeeze: number }
export type Fitted = { lines: string[]; size: number; squeeze: number }

/** On air: one line at 30, 26 or 24; two at 26 or 24; then narrower down to .86; then cut. */
export const AIR_PLATE: Plate = { width: 148, one: [30, 26], two: [26, 24], squeeze: 0.86 }

const LITTLE = 0.86
const VOWELS = 'аеёиоуыэюяіїєaeiouy'
const NEVER_FIRST = 'ьъйЬЪЙ'
const ONE_SOUND = ['ch', 'ck', 'gh', 'ph', 'sh', 'th', 'wh']
const isVowel = (letter: string) => VOWELS.includes(letter.toLowerCase())

/** Places where a word may break, two letters on each side. Cyrillic: after a vowel, or after the first of two consonants
 * that follow one, never before a sign or й. Latin: before the last consonant of those between two vowels. What has no
 * vowel breaks anywhere: better than being cut. */
function breaks(word: string): number[] {
  const mute = ![...word].some(isVowel)
  const places: number[] = []
  for (let i = 2; i <= word.length - 2; i++) {
    const [before, after, next] = [word[i - 1]!, word[i]!, word[i + 1]!]
    const start = NEVER_FIRST.includes(before) ? i - 2 : i - 1
    const closed = !isVowel(before) && isVowel(word[start - 1] ?? '') && !isVowel(after)
    const may = /[a-z]/i.test(after)
      ? !isVowel(after) && isVowel(next) && !ONE_SOUND.includes((before + after).toLowerCase())
      : (isVowel(before) || closed) && !NEVER_FIRST.includes(after)
    if (may || mute) places.push(i)
  }
  return places
}

/** Every way to put a name on two lines, the best balanced first; at spaces where there are any. */
function halves(name: string): [string, string][] {
  const spaces: [string, string][] = []
  for (let i = name.indexOf(' '); i > 0; i = name.indexOf(' ', i + 1)) {
    spaces.push([name.slice(0, i), name.slice(i + 1)])
  }
  const hyphen: [string, string][] = [...name.matchAll(/-/g)].map((at) => [
    name.slice(0, at.index + 1),
    name.slice(at.index + 1),
  ])
  const within: [string, string][] = breaks(name)
    .filter((i) => !/[\s-]/.test(name[i - 1]! + name[i]!))
    .map((i) => [`${name.slice(0, i)}-`, name.slice(i)])
  // The middle or just after it reads best: "Велосипедо-строитель".
  const middle = Math.ceil(name.length / 2)
  const off = ([first]: [string, string]) => Math.abs(first.replace(/-$/, '').length - middle)
  const balanced = (pairs: [string, string][]) =>
    pairs.filter(([a, b]) => a.length > 0 && b.length > 0).sort((a, b) => off(a) - off(b) || b[0].length - a[0].length)
  return [...balanced([...spaces, ...hyphen]), ...balanced(within)]
}

export function fitName(given: string, plate: Plate, measure: Measure): Fitted {
  const name = given.trim().replace(/\s+/g, ' ')
  const { width } = plate
  for (const size of plate.one) if (measure(name, size) <= width) return { lines: [name], size, squeeze: 1 }

  const pairs = plate.two.length > 0 ? halves(name) : []
  const natural = pairs.filter(([first]) => !first.endsWith('-') || name.includes(first))
  const widest = (pair: [string, string], size: number) => Math.max(measure(pair[0], size), measure(pair[1], size))
  for (const size of plate.two) {
    const pair = natural.find((pair) => widest(pair, size) <= width)
    if (pair) return { lines: pair, size, squeeze: 1 }
  }
  const smallest = plate.two.at(-1) ?? plate.one.at(-1)!
  if (measure(name, smallest) <= width) return { lines: [name], size: smallest, squeeze: 1 }
  // A little narrower reads better than a word in two; much narrower does not.
  const little = Math.max(plate.squeeze, LITTLE)
  const narrow = natural.find((pair) => widest(pair, smallest) <= width / little)
  if (narrow) return { lines: narrow, size: smallest, squeeze: width / widest(narrow, smallest) }
  const whole = pairs.find((pair) => widest(pair, smallest) <= width)
  if (whole) return { lines: whole, size: smallest, squeeze: 1 }

  const candidates: string[][] = pairs.length > 0 ? pairs : [[name]]
  const wide = (lines: string[]) => Math.max(...lines.map((line) => measure(line, smallest)))
  const narrowest = candidates.reduce((best, lines) => (wide(lines) < wide(best) ? lines : best))
  const squeeze = Math.max(plate.squeeze, Math.min(1, width / wide(narrowest)))
  const room = width / squeeze
  return { lines: narrowest.map((line) => cut(line, room, smallest, measure)), size: smallest, squeeze }
}

function cut(line: string, width: number, size: number, measure: Measure): string {
  if (measure(line, size) <= width + 0.01) return line
  let kept = line.replace(/-$/, '')
  while (kept.length > 1 && measure(`${kept}…`, size) > width) kept = kept.slice(0, -1)
  return `${kept}…`
}
