import { useEffect, useRef } from 'react'
import type { TextDocument } from './text-document.ts'

/** The text in the editor. @param takesFocus whether the text gets the focus when it is shown */
export function CodeView({ document, takesFocus }: { document: TextDocument; takesFocus: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when the text is shown
  useEffect(() => {
    if (!place.current) return
    const detach = document.attach(place.current)
    if (takesFocus) document.focus()
    return detach
  }, [document])
  return <div className="editor-text" data-scope="editor" ref={place} />
}
