// The words about pictures that are put in, in the language of the address.
import { pictures as en } from './en'
import { inLanguage, type Said } from './index'
import { pictures as ru } from './ru'
import { pictures as uk } from './uk'

export const pictures: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
