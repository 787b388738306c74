// The service's clock as this page knows it: an offset measured over round trips. Never reads wall time,
// so a browser whose clock is an hour off shows the same seconds as everybody else.

export type Sample = { offset: number; roundTrip: number; takenAt: number }

const KEPT = 16
/** How far two good crystals drift apart, in ms a ms: an old sample is worth less than a fresh one by this much. */
const DRIFT = 100e-6
/** The round trip assumed for an envelope's own `now`, which came one way. */
const ONE_WAY = 400

export class ServiceClock {
  private samples: Sample[] = []

  constructor(private readonly local: () => number) {}

  /** Forget everything: after a reconnect the service may have restarted with another clock. */
  reset(): void {
    this.samples = []
  }

  /** A finished round trip: local time when asked and when answered, and the service's time between. In ms. */
  measured(asked: number, now: number, answered: number): void {
    const roundTrip = answered - asked
    if (!(roundTrip >= 0) || !Number.isFinite(now)) return
    this.keep({ offset: now - (asked + answered) / 2, roundTrip, takenAt: answered })
  }

  /** A time that came with a view: good enough until the first round trip is back. */
  hinted(now: number): void {
    const at = this.local()
    if (this.samples.length === 0) this.keep({ offset: now - at, roundTrip: ONE_WAY, takenAt: at })
  }

  get known(): boolean {
    return this.samples.length > 0
  }

  /** What has to be added to local time, in ms. */
  get offset(): number {
    const at = this.local()
    const doubt = (sample: Sample) => sample.roundTrip / 2 + (at - sample.takenAt) * DRIFT
    const best = this.samples.reduce<Sample | null>(
      (best, sample) => (best === null || doubt(sample) < doubt(best) ? sample : best),
      null,
    )
    return best?.offset ?? 0
  }

  /** The service's time now, in ms. */
  now(): number {
    return this.local() + this.offset
  }

  /** The service's time at a local moment such as an event's `timeStamp`, in ms. */
  at(local: number): number {
    return local + this.offset
  }

  private keep(sample: Sample): void {
    this.samples = [...this.samples, sample].slice(-KEPT)
  }
}
