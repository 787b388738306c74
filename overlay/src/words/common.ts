// Words that more than one page says.
import { common as en } from './en'
import { inLanguage, type Said } from './index'
import { common as ru } from './ru'
import { common as uk } from './uk'

export const common: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
