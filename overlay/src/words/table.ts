// The words of the table page in the language of the address.
import { table as en } from './en'
import { inLanguage, type Said } from './index'
import { table as ru } from './ru'
import { table as uk } from './uk'

export const table: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
