import { describe, expect, it } from 'vitest'
import { ServiceClock } from './clock'

/** A page whose own clock starts anywhere, and a service `ahead` ms of it. */
function pair(ahead: number) {
  let local = 123_456
  const clock = new ServiceClock(() => local)
  const roundTrip = (there: number, back: number) => {
    const asked = local
    const now = local + there + ahead
    local += there + back
    clock.measured(asked, now, local)
  }
  return { clock, roundTrip, pass: (ms: number) => (local += ms), local: () => local }
}

describe("the service's clock", () => {
  it('is exact when both ways take as long', () => {
    const { clock, roundTrip, local } = pair(-86_400_000)
    roundTrip(12, 12)
    expect(clock.now()).toBeCloseTo(local() - 86_400_000, 6)
  })

  it('believes the shortest round trip, not the last', () => {
    const { clock, roundTrip } = pair(5000)
    roundTrip(40, 2)
    roundTrip(2, 2)
    roundTrip(90, 3)
    expect(Math.abs(clock.offset - 5000)).toBeLessThan(0.01)
  })

  it('lets an old sample go when the crystals may have drifted past it', () => {
    const { clock, roundTrip, pass } = pair(0)
    roundTrip(1, 1)
    pass(600_000)
    roundTrip(12, 8)
    expect(clock.offset).toBeCloseTo(2, 6)
  })

  it('takes the time of a view only until it has measured', () => {
    const { clock, roundTrip, local } = pair(700)
    expect(clock.known).toBe(false)
    clock.hinted(local() + 650)
    expect(clock.offset).toBe(650)
    roundTrip(3, 3)
    clock.hinted(local() - 9999)
    expect(clock.offset).toBeCloseTo(700, 6)
  })

  it('starts anew after a reconnect, since the service may have another clock', () => {
    const { clock, roundTrip } = pair(100)
    roundTrip(1, 1)
    clock.reset()
    expect(clock.known).toBe(false)
  })

  it('ignores an answer that came before it was asked', () => {
    const { clock } = pair(0)
    clock.measured(200, 5, 100)
    expect(clock.known).toBe(false)
  })
})
