// The words of the result page in the language of the address.
import { outcome as en } from './en'
import { inLanguage, type Said } from './index'
import { outcome as ru } from './ru'
import { outcome as uk } from './uk'

export const outcome: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
