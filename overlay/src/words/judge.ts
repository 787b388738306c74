// The words of the judge page in the language of the address.
import { judge as en } from './en'
import { inLanguage, type Said } from './index'
import { judge as ru } from './ru'
import { judge as uk } from './uk'

export const judge: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
