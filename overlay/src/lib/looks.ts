// How roles and departures look: the class that carries the colour, and the sign.
import type { IconName } from './icons'
import type { How, Role } from './messages'

export const BLACK: readonly Role[] = ['mafia', 'don']

export function team(role: Role): 'red' | 'black' | 'maniac' {
  return role === 'maniac' ? 'maniac' : BLACK.includes(role) ? 'black' : 'red'
}

/** civ, maf, don, she or man; the colour tokens hang on these. */
export function roleClass(role: Role | null | undefined): string {
  switch (role) {
    case null:
    case undefined:
      return 'covered'
    case 'mafia':
      return 'maf'
    case 'don':
      return 'don'
    case 'sheriff':
      return 'she'
    case 'maniac':
      return 'man'
    default:
      return 'civ'
  }
}

export function outIcon(how: How): IconName {
  switch (how) {
    case 'voted':
      return 'hand'
    case 'raised':
      return 'raised'
    case 'fouled':
    case 'removed':
      return 'removed'
    case 'maniac':
      return 'maniac'
    case 'guest':
      return 'beauty'
    case 'blast':
      return 'bomber'
    case 'avenged':
      return 'avenger'
    case 'shot':
      return 'shot'
  }
}
