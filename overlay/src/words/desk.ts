// The words of the judge's desk that came after the first page's, in the language of the address.
import { words as en } from './desk/en'
import { words as ru } from './desk/ru'
import { words as uk } from './desk/uk'
import { inLanguage, type Said } from './index'

export const words: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
