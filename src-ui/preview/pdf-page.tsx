import { useEffect, useRef, useState } from 'react'
import { type PDFDocumentProxy, TextLayer } from './pdf-document.ts'
import type { Size } from './zoom.ts'

/** Pixels above and below the window within which pages are drawn. */
const margin = 600
/** Pixels of the largest canvas; browsers of phones refuse larger ones. */
const largestCanvas = 16_000_000

type Props = { document: PDFDocumentProxy; number: number; size: Size; label: string }

/** One page, drawn while it is near the window. Its text can be selected and read. */
export function PdfPage({ document: pdf, number, size, label }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: `${margin}px 0px`,
    })
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = place.current
    if (!isNear || !element) return
    return drawPage({ pdf, number, width: size.width, element })
  }, [pdf, number, isNear, size.width])
  return (
    <section
      ref={place}
      className="paper"
      aria-label={label}
      style={{ inlineSize: `${size.width}px`, blockSize: `${size.height}px` }}
    />
  )
}

type Drawing = { pdf: PDFDocumentProxy; number: number; width: number; element: HTMLElement }

/** Draws a page and its text. @returns what stops it and removes both */
function drawPage({ pdf, number, width, element }: Drawing): () => void {
  const canvas = document.createElement('canvas')
  const words = document.createElement('div')
  words.className = 'paper-text'
  let stop = () => {}
  let isStopped = false
  const draw = async () => {
    const page = await pdf.getPage(number)
    if (isStopped) return
    const scale = width / page.getViewport({ scale: 1 }).width
    const viewport = page.getViewport({ scale })
    const sharpness = Math.min(devicePixelRatio, Math.sqrt(largestCanvas / (viewport.width * viewport.height)))
    canvas.width = Math.floor(viewport.width * sharpness)
    canvas.height = Math.floor(viewport.height * sharpness)
    const task = page.render({ canvas, viewport: page.getViewport({ scale: scale * sharpness }) })
    stop = () => task.cancel()
    await task.promise
    if (isStopped) return
    words.style.setProperty('--total-scale-factor', String(scale))
    element.replaceChildren(canvas, words)
    await new TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport }).render()
  }
  // A page that cannot be drawn stays blank; a drawing that was stopped fails too.
  draw().catch(() => undefined)
  return () => {
    isStopped = true
    stop()
    element.replaceChildren()
  }
}
