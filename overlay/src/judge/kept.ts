// The kept windows of the game, read from the journal by HTTP: the page asks as the judge that it is let in as.
import { languageFromAddress } from '../lib/entry'
import type { Kept } from './timeline'

function asked(path: string): Promise<Response> {
  const token = sessionStorage.getItem('token:judge')
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  return fetch(path, { headers, cache: 'no-store', credentials: 'same-origin' })
}

/** Every window of the game, the newest first; null: they could not be read. */
export async function keptWindows(): Promise<Kept[] | null> {
  try {
    const answer = await asked('/evidence')
    return answer.ok ? ((await answer.json()) as Kept[]).reverse() : null
  } catch {
    return null
  }
}

/** Saves the drawing of window `number`; false: it could not be had. */
export async function saveDrawing(number: number): Promise<boolean> {
  try {
    const answer = await asked(`/evidence/${number}.svg?lang=${languageFromAddress()}`)
    if (!answer.ok) return false
    const name = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await answer.blob())
    link.download = name?.[1] ?? `window-${number}.svg`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    return true
  } catch {
    return false
  }
}
