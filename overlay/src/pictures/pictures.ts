// The pictures that can be put in from a page: what there is, and how a file becomes what is sent. Pictures are made
// small here, so that a photo from a phone gets over a hall's radio; what cannot be read here goes as it is, and the
// service says what is wrong with it.
import { languageFromAddress } from '../lib/entry'
import type { Refusal, Seat } from '../lib/messages'
import { CARD, part, type Cut } from './frame'

export type ShownPlayer = { name: string; seat: Seat | null; photo: string | null; uploaded: boolean }
export type PicturesView = {
  ok: true
  players: ShownPlayer[]
  logo: string | null
  sponsors: string[]
  largest_mb: number
}
export type Refused = { ok: false; refusal: Refusal }
export type Place = { what: 'player'; name: string } | { what: 'logo' } | { what: 'sponsor'; place?: number }

const LONGEST_SIDE = 2000
const LOGO_WIDTH = 1600
const WITHIN = 20_000

/** The picture in a file, upright; null: the browser cannot read it. */
export async function opened(file: Blob): Promise<ImageBitmap | null> {
  return createImageBitmap(file).catch(() => null)
}

export function drawn(picture: ImageBitmap, cut: Cut, canvas: HTMLCanvasElement): void {
  const pen = canvas.getContext('2d')!
  const from = part(picture.width, picture.height, cut)
  pen.fillStyle = '#3b4450' // what a picture without a background stands on
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, from.x, from.y, from.width, from.height, 0, 0, canvas.width, canvas.height)
}

/** The part in the frame as a file. */
export async function cutOut(picture: ImageBitmap, cut: Cut): Promise<Blob | null> {
  const canvas = canvasOf(CARD.width, CARD.height)
  drawn(picture, cut, canvas)
  return asFile(canvas, 'image/jpeg')
}

/** A player's picture no larger than it has to be. */
export async function small(file: File): Promise<Blob> {
  const picture = await opened(file)
  if (picture === null || Math.max(picture.width, picture.height) <= LONGEST_SIDE) return file
  const by = LONGEST_SIDE / Math.max(picture.width, picture.height)
  const canvas = canvasOf(picture.width * by, picture.height * by)
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return (await asFile(canvas, file.type === 'image/png' ? 'image/png' : 'image/jpeg')) ?? file
}

/** A logo as pixels: a drawing (SVG) is drawn as large as the screens need it. */
export async function logoOf(file: File): Promise<Blob> {
  if (file.type !== 'image/svg+xml') return file
  const picture = new Image()
  picture.src = await asAddress(file)
  try {
    await picture.decode()
    const height = (LOGO_WIDTH * picture.naturalHeight) / picture.naturalWidth
    const canvas = canvasOf(LOGO_WIDTH, height)
    canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return (await asFile(canvas, 'image/png')) ?? file
  } catch {
    return file
  }
}

/** The file as an address of its own: the pages may show no other that is not the service's. */
function asAddress(file: File): Promise<string> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onloadend = () => done(String(reader.result))
    reader.readAsDataURL(file)
  })
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  return Object.assign(document.createElement('canvas'), { width: Math.round(width), height: Math.round(height) })
}

function asFile(canvas: HTMLCanvasElement, kind: string): Promise<Blob | null> {
  return new Promise((done) => canvas.toBlob(done, kind, 0.92))
}

/** The doors, for a page that is let in by its link's `token` or by this device's cookie. Null: no answer came. */
export class Doors {
  constructor(private readonly token: string | null) {}

  look(): Promise<PicturesView | Refused | null> {
    return this.ask('/pictures', {})
  }

  put(place: Place, picture: Blob): Promise<PicturesView | Refused | null> {
    const whose: Record<string, string> = place.what === 'player' ? { Player: encodeURIComponent(place.name) } : {}
    return this.ask(`/pictures/${place.what}?lang=${languageFromAddress()}`, {
      method: 'POST',
      headers: { 'Content-Type': picture.type || 'application/octet-stream', ...whose },
      body: picture,
    })
  }

  drop(place: Place): Promise<PicturesView | Refused | null> {
    return this.ask(`/pictures/drop?lang=${languageFromAddress()}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(place),
    })
  }

  private async ask(path: string, request: RequestInit): Promise<PicturesView | Refused | null> {
    const own: Record<string, string> = this.token === null ? {} : { Authorization: `Bearer ${this.token}` }
    try {
      const answer = await fetch(path, {
        ...request,
        headers: { ...(request.headers as Record<string, string>), ...own },
        cache: 'no-store',
        signal: AbortSignal.timeout(WITHIN),
      })
      return (await answer.json()) as PicturesView | Refused
    } catch {
      return null
    }
  }
}
