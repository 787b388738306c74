// A finger that stays: tap and hold on one element, told apart by time. A finger that slides away does neither.
import type { Attachment } from 'svelte/attachments'

export const HOLD = 500
const SLIDE = 24

type Ends = { tap: (event: PointerEvent) => void; hold: () => void }

export function tapOrHold(ends: () => Ends, after = HOLD): Attachment<HTMLElement> {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let start: { x: number; y: number } | null = null
    const stop = () => {
      clearTimeout(timer)
      start = null
    }
    const down = (event: PointerEvent) => {
      if (event.button !== 0) return
      start = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => {
        stop()
        ends().hold()
      }, after)
    }
    const move = (event: PointerEvent) => {
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLIDE) stop()
    }
    const up = (event: PointerEvent) => {
      if (start === null) return
      stop()
      ends().tap(event)
    }
    const menu = (event: Event) => {
      event.preventDefault()
      if (start === null && event instanceof MouseEvent && event.button === 2) ends().hold()
    }
    element.addEventListener('pointerdown', down)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', up)
    element.addEventListener('pointercancel', stop)
    element.addEventListener('pointerleave', stop)
    element.addEventListener('contextmenu', menu)
    return () => {
      stop()
      element.removeEventListener('pointerdown', down)
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerup', up)
      element.removeEventListener('pointercancel', stop)
      element.removeEventListener('pointerleave', stop)
      element.removeEventListener('contextmenu', menu)
    }
  }
}
