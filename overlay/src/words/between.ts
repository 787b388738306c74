// The words of the page between games in the language of the address.
import { between as en } from './en'
import { inLanguage, type Said } from './index'
import { between as ru } from './ru'
import { between as uk } from './uk'

export const between: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
