// The words of the sound on the judge's desk, in the language of the address.
import { inLanguage, type Said } from './index'
import { words as en } from './sound/en'
import { words as ru } from './sound/ru'
import { words as uk } from './sound/uk'

export const words: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
