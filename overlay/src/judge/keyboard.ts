// Keys for a laptop. They go by place, so that Russian, Ukrainian and Latin layouts do the same.
import { desk } from './desk.svelte'

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

export function keyPressed(event: KeyboardEvent): void {
  const view = desk.view
  if (view === null || event.altKey || event.metaKey) return
  if (event.code === 'Escape') {
    desk.closed()
    desk.counting = null
    desk.foulArmed = false
    desk.refuse(null)
    return
  }
  if (typing(event.target) || event.repeat) return
  if (event.ctrlKey && event.code !== 'KeyZ' && event.code !== 'KeyY') return
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
  if (digit !== undefined) {
    const seat = digit === '0' ? 10 : Number(digit)
    if (!view.seats.some((one) => one.seat === seat)) return
    event.preventDefault()
    if (event.shiftKey) desk.sheet = { name: 'seat', seat }
    else if (desk.sheet === null) desk.tap(seat)
    return
  }
  if (desk.sheet !== null) return
  const { legal } = view
  switch (event.code) {
    case 'Space':
    case 'Enter':
      event.preventDefault()
      desk.press(event.timeStamp)
      return
    case 'KeyZ':
      if (legal.undo !== null) void desk.act({ do: 'undo' })
      return
    case 'KeyY':
      if (legal.redo !== null) void desk.act({ do: 'redo' })
      return
    case 'KeyF':
      desk.foulArmed = !desk.foulArmed
      return
    case 'KeyT':
      if (view.timer !== null) void desk.act({ do: 'timer', running: !view.timer.running })
      return
    case 'KeyV':
      if (legal.void_window) void desk.act({ do: 'void_window' })
      return
    case 'KeyM':
      if (legal.shoot) desk.target = desk.target === 'miss' ? null : 'miss'
      return
  }
}
