// Pictures that are put in from a page.
import type { Said } from '../index'
import type { pictures as ru } from './ru'

export const pictures: Said<typeof ru> = {
  heading: 'Картинки: гравці, логотип, спонсори',
  lost: 'Стіл не відповів. Спробуйте ще раз.',
  working: 'Надсилаю…',
  done: 'Готово, сторінки вже показують.',
  gone: 'Прибрано.',
  players: 'Гравці',
  several: 'Можна вибрати багато файлів одразу: кожен дістанеться гравцеві, чиїм іменем названий.',
  chooseSeveral: 'Вибрати кілька',
  noPlayers: 'За столом поки нікого не названо.',
  choose: 'Вибрати',
  another: 'Замінити',
  drop: 'Прибрати',
  add: 'Додати',
  logo: 'Логотип події',
  sponsors: 'Смуга спонсорів',
  sponsor: (place: number) => `Спонсор ${place}`,
  frame: 'Посуньте картинку, щоб обличчя було в кадрі.',
  nearer: 'Ближче',
  put: 'Поставити',
  cancel: 'Скасувати',
  nobody: (file: string) => `${file}: гравця з таким іменем немає. Назвіть файл іменем гравця.`,
  tooLarge: (most: number) => `файл більший за ${most} МБ. Збережіть його меншим.`,
  taken: (done: number, of: number) => `Поставлено: ${done} з ${of}.`,
}
