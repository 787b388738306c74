// The protocol and the sheet of the position as files for the printer. They are saved and not shown: a tablet lies open
// on the table, and the cards are on them.
import type { Document } from '../lib/messages'
import { words } from '../words/desk'
import { desk } from './desk.svelte'

/** Asks for it and saves it. What went wrong is said on the tablet. */
export async function onPaper(what: 'protocol' | 'position'): Promise<void> {
  const answer = await desk.live.connection.read<Document>(what)
  if (answer === null) return desk.refuse(words.noAnswer)
  if (!answer.ok) return desk.refuse(answer.refusal.sentence, answer.refusal.clause)
  const bytes = Uint8Array.from(atob(answer.content), (one) => one.charCodeAt(0))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
  link.download = answer.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
