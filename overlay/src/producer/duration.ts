// How OBS's figures are read.
import type { ObsOutput } from '../lib/messages'

/** Seconds as `12:03`, or `1:12:03`. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const minutes = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return whole < 3600 ? minutes : `${Math.floor(whole / 3600)}:${minutes}`
}

/** The lost frames in percent. */
export function lost(output: ObsOutput): string {
  return ((output.skipped * 100) / Math.max(1, output.total)).toFixed(1)
}
