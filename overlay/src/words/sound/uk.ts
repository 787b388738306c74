import type { words as ru } from './ru'

export const words: typeof ru = {
  sound: 'Звук',
  speak: 'Говорити: тримайте',
  speaking: 'Говоріть: музика тихіша',
  muted: 'Музику цієї ночі вимкнено',
  mute: 'Вимкнути музику цієї ночі',
  unmute: 'Повернути музику цієї ночі',
  without: 'Грати далі без звуку',
  with: 'Повернути звук',
  tone: 'Перевірний тон',
  volume: 'Гучність музики',
  quieter: 'Тихіше',
  louder: 'Гучніше',
}
