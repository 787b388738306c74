// A finger that stays: tap and hold on one element, told apart by time. A finger that slides away does neither.
import type { Attachment } from 'svelte/attachments'

export const HOLD = 500
const SLIDE = 24

/**
 * What a hold has opened may lie under the finger already when it leaves, and a slow tablet makes a click of that: it was
 * meant for nothing there. The next finger that comes down is another one.
 */
export function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    if (event.detail === 0) return // a key's click has no finger
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  const end = () => {
    window.removeEventListener('click', swallow, true)
    window.removeEventListener('pointerdown', end, true)
  }
  window.addEventListener('click', swallow, true)
  window.addEventListener('pointerdown', end, true)
}

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
        swallowClick()
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
