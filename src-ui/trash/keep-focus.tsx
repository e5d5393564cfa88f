import { useEffect, useRef } from 'react'
import { focusBack } from '../ui/focus-back.ts'
import { view } from '../ui/view.tsx'
import type { TrashItems } from './trash-items.ts'

/** When what had the focus has gone with its row or its selection, the row beside it gets the focus, else the content. */
export const KeepFocus = view(function KeepFocus({ items }: { items: TrashItems }) {
  const last = useRef<EventTarget>(null)
  const { value: rows } = items.rows
  const { value: selected } = items.selected
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      last.current = target
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something has gone
  useEffect(() => {
    if (last.current instanceof Element && !last.current.isConnected) focusBack(null)
  }, [rows, selected])
  return null
})
