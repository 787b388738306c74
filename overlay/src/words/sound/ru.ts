// Russian: gives the other two their shape.
export const words = {
  sound: 'Звук',
  speak: 'Говорить: держите',
  speaking: 'Говорите: музыка тише',
  muted: 'Музыка этой ночи выключена',
  mute: 'Выключить музыку этой ночи',
  unmute: 'Вернуть музыку этой ночи',
  without: 'Играть дальше без звука',
  with: 'Вернуть звук',
  tone: 'Проверочный тон',
  volume: 'Громкость музыки',
  quieter: 'Тише',
  louder: 'Громче',
}
