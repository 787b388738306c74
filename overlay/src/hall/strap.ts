// The hall's words for a phase. Everything here is said aloud in the hall anyway.
import type { IconName } from '../lib/icons'
import type { HallView } from '../lib/messages'
import { common } from '../words/common'

export function isDark(view: HallView): boolean {
  return view.phase.kind === 'night' || view.phase.kind === 'acquaintance'
}

export function hallIcon(view: HallView): IconName {
  if (view.result !== null) return 'cup'
  return isDark(view) ? 'moon' : view.phase.kind === 'dealing' ? 'cards' : 'sun'
}

export function hallTitle(view: HallView): string {
  const { kind, round } = view.phase
  switch (kind) {
    case 'dealing':
    case 'over':
      return common.game(view.header.game)
    case 'acquaintance':
      return common.night(0)
    case 'night':
      return common.night(round)
    default:
      return common.day(round)
  }
}

export function hallDetail(view: HallView): string {
  const { kind, speech, silent } = view.phase
  if (view.stopped) return common.stopped
  switch (kind) {
    case 'dealing':
      return common.dealing
    case 'acquaintance':
      return common.acquaintance
    case 'morning':
      return common.morning
    case 'dusk':
      return common.dusk
    case 'voting':
      return common.vote[view.vote?.kind ?? 'ballot']
    case 'speech':
    case 'last_word':
      return silent ? common.silentMinute : common.speech[speech ?? (kind === 'speech' ? 'minute' : 'last_word')]
    case 'night':
      return ''
    case 'over':
      return common.result
  }
}
