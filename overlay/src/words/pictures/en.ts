// Pictures that are put in from a page.
import type { Said } from '../index'
import type { pictures as ru } from './ru'

export const pictures: Said<typeof ru> = {
  heading: 'Pictures: players, logo, sponsors',
  lost: 'The table did not answer. Try once more.',
  working: 'Sending…',
  done: 'Done, the pages show it already.',
  gone: 'Taken away.',
  players: 'Players',
  several: 'Many files can be chosen at once: each goes to the player whom it is named like.',
  chooseSeveral: 'Choose several',
  noPlayers: 'Nobody at the table has a name yet.',
  choose: 'Choose',
  another: 'Replace',
  drop: 'Take away',
  add: 'Add',
  logo: 'The event’s logo',
  sponsors: 'The strip of sponsors',
  sponsor: (place: number) => `Sponsor ${place}`,
  frame: 'Move the picture until the face is in the frame.',
  nearer: 'Nearer',
  put: 'Put it on',
  cancel: 'Cancel',
  nobody: (file: string) => `${file}: there is no player of this name. Name the file like the player.`,
  tooLarge: (most: number) => `the file is larger than ${most} MB. Save a smaller one.`,
  taken: (done: number, of: number) => `Put on: ${done} of ${of}.`,
}
