// The desk's door as the pages know it: what is asked of a device, and the posts that answer it.
import { languageFromAddress, takeToken } from '../lib/entry'
import type { Refusal } from '../lib/messages'

export type Address = { address: string; qr: string[] }
export type ShownLink = {
  id: string
  scope: string
  name: string
  delay: number
  own_delay: boolean
  expires: number | null
  open: Address
}
export type ShownDevice = { id: string; scope: string; name: string; registered: number; own: boolean }
export type Invited = { scope: string; name: string; code: string; open: Address }
export type DevicesView = {
  ok: true
  devices: ShownDevice[]
  links: ShownLink[]
  usual_delay: number
  invited: Invited | null
}
export type Refused = { ok: false; refusal: Refusal }
export type Act =
  | { do: 'look' | 'curtain' }
  | { do: 'invite'; scope: 'judge' | 'office'; name: string }
  | { do: 'link'; scope: string; name: string; hours: number | null; delay: number | null; confirmed: boolean }
  | { do: 'rotate' | 'revoke'; id: string }

/** Whether a refusal is one that a PIN or a code answers. */
export function atTheDoor(code: string): boolean {
  return code === 'not_registered' || code === 'pin_needed'
}

/** Null: the service did not answer. */
async function post<A>(path: string, body: object): Promise<A | Refused | null> {
  const token = takeToken('judge')
  const own: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...own },
      body: JSON.stringify({ ...body, language: languageFromAddress() }),
      signal: AbortSignal.timeout(15_000),
    })
    return (await answer.json()) as A | Refused
  } catch {
    return null
  }
}

export function enter(pin: string, invitation: string | null): Promise<{ ok: true } | Refused | null> {
  return post('/enter', { pin, invitation })
}

export function act(what: Act): Promise<DevicesView | Refused | null> {
  return post('/access', what)
}
