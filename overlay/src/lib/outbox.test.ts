import { describe, expect, it, vi } from 'vitest'
import type { Answer, Command } from './messages'
import { freshId, Outbox } from './outbox'

const yes: Answer = { ok: true, revision: 1 }

function wire() {
  const sent: Command[] = []
  const state = { up: true, deaf: false }
  const transport = {
    ready: () => state.up,
    send: (command: Command) => {
      sent.push(command)
      return state.deaf ? Promise.reject(new Error('no answer')) : Promise.resolve(yes)
    },
  }
  return { sent, state, transport }
}

describe('the outbox', () => {
  it('gives every command an id of its own', () => {
    const ids = new Set(Array.from({ length: 1000 }, freshId))
    expect(ids.size).toBe(1000)
    expect([...ids][0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('sends again under the same id when no answer came', async () => {
    vi.useFakeTimers()
    const { sent, state, transport } = wire()
    const box = new Outbox(transport)
    state.deaf = true
    const answer = box.give({ do: 'next' }, 7)
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent.length).toBeGreaterThan(1)
    state.deaf = false
    await vi.advanceTimersByTimeAsync(1000)
    expect(await answer).toEqual(yes)
    expect(new Set(sent.map((command) => command.id)).size).toBe(1)
    expect(sent.every((command) => command.revision === 7)).toBe(true)
    expect(box.waiting).toBe(0)
    vi.useRealTimers()
  })

  it('keeps what was given while the link was down, and the order', async () => {
    const { sent, state, transport } = wire()
    const box = new Outbox(transport)
    state.up = false
    const answers = [box.give({ do: 'foul', seat: 4 }, 1), box.give({ do: 'next' }, 1)]
    expect(sent).toEqual([])
    state.up = true
    await box.flush()
    expect(await Promise.all(answers)).toEqual([yes, yes])
    expect(sent.map((command) => command.do)).toEqual(['foul', 'next'])
  })

  it('lets every command lapse that could not be sent within three seconds', async () => {
    vi.useFakeTimers()
    const { sent, state, transport } = wire()
    const box = new Outbox(transport)
    state.up = false
    const outcomes = [box.give({ do: 'next' }, 1), box.give({ do: 'stop', stopped: true }, 1)]
    await vi.advanceTimersByTimeAsync(2900)
    expect(box.waiting).toBe(2)
    await vi.advanceTimersByTimeAsync(200)
    expect(await Promise.all(outcomes)).toEqual(['lapsed', 'lapsed'])
    state.up = true
    await box.flush()
    expect(sent).toEqual([])
    vi.useRealTimers()
  })

  it('gives up what was sent and never answered, and goes on with what was given later', async () => {
    vi.useFakeTimers()
    const { sent, state, transport } = wire()
    const box = new Outbox(transport)
    state.deaf = true
    const outcome = box.give({ do: 'next' }, 1, 5000)
    await vi.advanceTimersByTimeAsync(3100)
    expect(await outcome).toBe('unanswered')
    expect(sent.every((command) => command.tapped === 5000)).toBe(true)
    state.deaf = false
    const before = sent.length
    const later = box.give({ do: 'foul', seat: 4 }, 1)
    await vi.advanceTimersByTimeAsync(500)
    expect(await later).toEqual(yes)
    expect(sent.slice(before).map((command) => command.do)).toEqual(['foul'])
    vi.useRealTimers()
  })

  it('sends a command once even when it is flushed twice at a time', async () => {
    const { sent, transport } = wire()
    const box = new Outbox(transport)
    const answer = box.give({ do: 'next' }, 1)
    await Promise.all([box.flush(), box.flush(), answer])
    expect(sent.length).toBe(1)
  })
})
