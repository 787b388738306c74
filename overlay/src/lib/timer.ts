// Seconds on a screen: always deadline minus now, never a count of ticks.
import type { Timer, Window } from './messages'

/** What is left, ms: never below zero, never more than the whole. */
export function left(timer: Timer, now: number): number {
  const rest = timer.running && timer.deadline !== null ? timer.deadline - now : timer.left
  return Math.min(Math.max(rest, 0), timer.total)
}

/** Whole seconds as they are called out: 42.1 s reads 43 until 42.0 is reached. */
export function seconds(ms: number): number {
  return Math.ceil(ms / 1000 - 1e-6)
}

export function minutes(ms: number): string {
  const whole = seconds(ms)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** How much of a vote window is still to come, 1 to 0. */
export function rest(window: Window, now: number): number {
  const length = Math.max(window.closes - window.opened, 1)
  return Math.min(1, Math.max(0, (window.closes - now) / length))
}

/** Tenths of a second with a decimal comma or point, e.g. "1,2". */
export function tenths(ms: number, comma: string): string {
  return (Math.ceil(Math.max(ms, 0) / 100) / 10).toFixed(1).replace('.', comma)
}
