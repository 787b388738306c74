// What the page's address says: language, token, scale. The token leaves the address bar as soon as it is read and
// lives on in the tab's own storage, so that a reload gets in again and a shared screen shows no link.
import type { Language, Page } from './messages'

export const query = new URLSearchParams(location.search)

/** A judge's page that is the side judge's: `/judge?side=1`. */
export const isSide = query.get('side') === '1'

export function languageFromAddress(): Language {
  const asked = query.get('lang')
  return asked === 'uk' || asked === 'en' ? asked : 'ru'
}

export function takeToken(page: Page): string | null {
  return takeTokens(page)[0] ?? null
}

/** All tokens of the address, one a table: no token has a space in it. */
export function takeTokens(page: Page): string[] {
  const slot = `token:${page}`
  const given = new URLSearchParams(location.hash.slice(1)).getAll('t').filter((token) => token !== '')
  if (given.length > 0) {
    sessionStorage.setItem(slot, given.join(' '))
    history.replaceState(history.state, '', location.pathname + location.search)
    return given
  }
  return sessionStorage.getItem(slot)?.split(' ') ?? []
}

/** What this device was invited by, for as long as the tab lives: it is good once. */
export function takeInvitation(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('e')
  if (given) {
    sessionStorage.setItem('invitation', given)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return given ?? sessionStorage.getItem('invitation')
}

export function forgetInvitation(): void {
  sessionStorage.removeItem('invitation')
}

/** Reloads a page of another build, once for each build seen: a service that sends a wrong id must not start a loop. */
export function reloadIfOld(build: string): boolean {
  if (!build || build === __BUILD__) return false
  const slot = 'reloaded-for'
  if (sessionStorage.getItem(slot) === build) return false
  sessionStorage.setItem(slot, build)
  location.reload()
  return true
}
