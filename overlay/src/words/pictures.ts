// The words about pictures that are put in, in the language of the address.
import { inLanguage, type Said } from './index'
import { pictures as en } from './pictures/en'
import { pictures as ru } from './pictures/ru'
import { pictures as uk } from './pictures/uk'

export const pictures: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
