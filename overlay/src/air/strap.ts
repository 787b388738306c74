// The words of the phase strap.
import type { IconName } from '../lib/icons'
import type { AirView } from '../lib/messages'
import { air } from '../words/air'
import { common } from '../words/common'
import { seatOf } from './situation'

export function phaseIcon(view: AirView): IconName {
  switch (view.phase.kind) {
    case 'dealing':
      return 'cards'
    case 'over':
      return 'cup'
    case 'night':
    case 'acquaintance':
      return 'moon'
    default:
      return 'sun'
  }
}

export function title(view: AirView): string {
  const { kind, round } = view.phase
  switch (kind) {
    case 'dealing':
      return common.dealing
    case 'acquaintance':
      return common.night(0)
    case 'over':
      return common.game(view.header.game)
    case 'night':
      return common.night(round)
    default:
      return common.day(round)
  }
}

export function detail(view: AirView): string {
  const { kind, step, speech, silent } = view.phase
  if (view.stopped) return common.stopped
  switch (kind) {
    case 'over':
      return common.result
    case 'acquaintance':
      return step === 'don'
        ? air.steps.donWakes
        : step === 'mafia'
          ? air.steps.mafia
          : step === 'sheriff'
            ? air.steps.sheriffLooks
            : common.acquaintance
    case 'night':
      return step !== null && step in air.steps ? air.steps[step as keyof typeof air.steps] : ''
    case 'morning':
      return air.cityWakes
    case 'dusk':
      return common.dusk
    case 'voting':
      return common.vote[view.vote?.kind ?? 'ballot']
    case 'speech':
    case 'last_word': {
      const seat = seatOf(view, view.phase.seat)
      const what = silent ? common.silentMinute : common.speech[speech ?? (kind === 'speech' ? 'minute' : 'last_word')]
      return seat === undefined ? what : `${what} · ${seat.seat} ${seat.name}`
    }
    case 'dealing':
      return common.game(view.header.game)
  }
}
