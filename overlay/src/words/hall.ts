// The words of the hall page in the language of the address.
import { hall as en } from './en'
import { inLanguage, type Said } from './index'
import { hall as ru } from './ru'
import { hall as uk } from './uk'

export const hall: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
