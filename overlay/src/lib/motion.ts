// Every duration and curve of every page. Only transform and opacity move; the first picture after a (re)connect, a
// hidden page and a viewer who asked for less motion get cuts.

/** Milliseconds. */
export const ms = {
  phaseOut: 200,
  phaseIn: 420,
  cardIn: 360,
  cardStep: 30,
  speakerOut: 240,
  speakerIn: 280,
  ringIn: 160,
  railOut: 160,
  railHold: 80,
  railIn: 320,
  flag: 220,
  hand: 180,
  foul: 200,
  outGrey: 300,
  outDrop: 300,
  outStamp: 160,
  reveal: 300,
  revealStep: 60,
  lastSeconds: 120,
  overlay: 240,
  toast: 160,
} as const

export const curve = 'cubic-bezier(.2,.8,.2,1)'

/** The same curve for motion that is computed: solves the Bezier for its time. */
export function ease(t: number): number {
  const at = (a: number, b: number, u: number) => 3 * (1 - u) * (1 - u) * u * a + 3 * (1 - u) * u * u * b + u * u * u
  let low = 0
  let high = 1
  for (let i = 0; i < 24; i++) {
    const middle = (low + high) / 2
    if (at(0.2, 0.2, middle) < t) low = middle
    else high = middle
  }
  return at(0.8, 1, (low + high) / 2)
}

const less = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null
let still = true

/** Until the next picture stands: cuts only. */
export function drawStill(): void {
  still = true
  document.documentElement.classList.add('still')
  setTimeout(() => {
    still = false
    document.documentElement.classList.remove('still')
  }, 120)
}

function isStill(): boolean {
  return still || less?.matches === true || document.visibilityState === 'hidden'
}

/** Hands durations and the curve to the style sheets, as `--ms-speaker-in` and `--curve`. */
export function dressRoot(): void {
  const root = document.documentElement
  for (const [name, value] of Object.entries(ms)) {
    const property = `--ms-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    root.style.setProperty(property, `${value}ms`)
  }
  root.style.setProperty('--curve', curve)
  root.classList.add('still')
}

type Params = { delay?: number; duration?: number }
type Motion = { delay: number; duration: number; easing: (t: number) => number; css: (t: number) => string }

function motion(duration: number, delay: number, css: (t: number) => string): Motion {
  return isStill() ? { delay: 0, duration: 0, easing: ease, css } : { delay, duration, easing: ease, css }
}

/** A plane slides out of its own left edge; its parent clips it. */
export function wipe(_: Element, { delay = 0, duration = ms.phaseIn }: Params = {}): Motion {
  return motion(duration, delay, (t) => `transform: translateX(${(t - 1) * 102}%)`)
}

export function rise(_: Element, { delay = 0, duration = ms.cardIn, by = 60 }: Params & { by?: number } = {}): Motion {
  return motion(duration, delay, (t) => `transform: translateY(${(1 - t) * by}px); opacity: ${t}`)
}

/** Comes up from behind what stands below; its parent clips it. */
export function flagUp(_: Element, { delay = 0 }: Params = {}): Motion {
  return motion(ms.flag, delay, (t) => `transform: translateY(${(1 - t) * 104}%)`)
}

export function fade(_: Element, { delay = 0, duration = ms.railIn }: Params = {}): Motion {
  return motion(duration, delay, (t) => `opacity: ${t}`)
}

export function skewIn(_: Element): Motion {
  return motion(ms.foul, 0, (t) => `transform: skewX(${-12 - (1 - t) * 50}deg); opacity: ${t}`)
}

export function stamp(_: Element, { delay = ms.outGrey }: Params = {}): Motion {
  return motion(ms.outStamp, delay, (t) => `transform: scale(${1 + (1 - t) * 0.15}); opacity: ${t}`)
}

/** Drawn from left to right. */
export function draw(_: Element, { delay = 0, duration = ms.reveal }: Params = {}): Motion {
  return motion(duration, delay, (t) => `transform: scaleX(${t}); transform-origin: 0 50%`)
}
