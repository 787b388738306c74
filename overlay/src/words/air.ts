// The words of the air page in the language of the address.
import { air as en } from './en'
import { inLanguage, type Said } from './index'
import { air as ru } from './ru'
import { air as uk } from './uk'

export const air: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
