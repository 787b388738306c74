// The words of the spectators' page in the language of the address.
import { watch as en } from './en'
import { inLanguage, type Said } from './index'
import { watch as ru } from './ru'
import { watch as uk } from './uk'

export const watch: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
