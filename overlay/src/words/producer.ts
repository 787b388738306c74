// The words of the producer's page in the language of the address.
import { producer as en } from './en'
import { inLanguage, type Said } from './index'
import { producer as ru } from './ru'
import { producer as uk } from './uk'

export const producer: Said<typeof ru> = inLanguage<Said<typeof ru>>({ ru, uk, en })
