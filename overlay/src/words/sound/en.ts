import type { words as ru } from './ru'

export const words: typeof ru = {
  sound: 'Sound',
  speak: 'Hold to speak',
  speaking: 'Speak: the music is down',
  muted: 'This night has no music',
  mute: 'No music this night',
  unmute: 'Music back this night',
  without: 'Go on without sound',
  with: 'Sound back',
  tone: 'Test tone',
  volume: 'Music volume',
  quieter: 'Quieter',
  louder: 'Louder',
}
