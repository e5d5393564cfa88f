import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { locale } from '../i18n/locale.ts'
import { focusBack } from './focus-back.ts'

/**
 * What makes an element of the role `toolbar` one: it is one tab stop, and the arrow keys, Home and End go among its buttons. The
 * button that had the focus last is the tab stop. A toolbar that disappears with the focus returns it.
 * https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
 */
export function useToolbar() {
  const bar = useRef<HTMLDivElement>(null)
  const ref = useCallback((element: HTMLDivElement) => {
    bar.current = element
    return () => {
      bar.current = null
      if (element.contains(document.activeElement)) queueMicrotask(() => focusBack(null))
    }
  }, [])
  const last = useRef<Element>(undefined)
  // After each drawing, as buttons come and go.
  useLayoutEffect(() => {
    const all = buttonsOf(bar)
    const shown = all.filter(isShown)
    const stop = shown.find((one) => one === last.current) ?? shown[0]
    for (const one of all) one.tabIndex = one === stop ? 0 : -1
  })
  return {
    ref,
    onFocus({ target }: FocusEvent) {
      last.current = target
      for (const one of buttonsOf(bar)) one.tabIndex = one === target ? 0 : -1
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const shown = buttonsOf(bar).filter(isShown)
      const to = stepOf(event.key, shown.indexOf(event.target as HTMLElement), shown.length)
      if (to === undefined) return
      event.preventDefault()
      shown[to]?.focus()
    },
  }
}

/** A narrow window hides some. */
const isShown = (button: HTMLElement) => button.getClientRects().length > 0

const buttonsOf = (bar: RefObject<HTMLElement | null>) => [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])]

/** Where a key leads, round at the ends; undefined for any other key. */
export function stepOf(key: string, from: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  return step && (from + (locale.value.dir === 'rtl' ? -step : step) + count) % count
}
