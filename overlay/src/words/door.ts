// The words of the door, the office and the devices in the language of the address.
import { door as en } from './en'
import { inLanguage, type Said } from './index'
import { door as ru } from './ru'
import { door as uk } from './uk'

export const door: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
