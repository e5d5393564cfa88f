// A PDF document drawn by the page. A lazy part: it brings pdf.js.
import { useEffect, useRef, useState } from 'react'
import { assertServed } from '../api/http.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { contentAddress, type ShownFile } from './content-address.ts'
import { openPdf, type PDFDocumentProxy } from './pdf-document.ts'
import { PdfPage } from './pdf-page.tsx'
import { previewSlice } from './preview.ts'
import { ShowFailure } from './show-failure.tsx'
import { useSwipe } from './use-swipe.ts'
import { clampZoom, type Size, steppedZoom } from './zoom.ts'

/** Pixels beyond which a page is not made wider than the window would need. */
const widestPage = 900
const padding = 32

type Opened = { document: PDFDocumentProxy; page: Size }

/** All pages of a document, one below the other. */
export const PdfPages = view(function PdfPages({ file }: { file: ShownFile }) {
  const preview = useWorkspace().use(previewSlice)
  const pane = useRef<HTMLDivElement>(null)
  const [attempt, setAttempt] = useState(0)
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState<unknown>()
  const [room, setRoom] = useState(0)
  const zoom = preview.zoom.value
  useSwipe(pane)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller has a key for each file
  useEffect(() => {
    let isLeft = false
    const { document, close } = openPdf(contentAddress(file, { inline: true }))
    const show = async () => {
      const pdf = await document
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
      if (isLeft) return
      preview.details.value = t('preview.pages', { count: pdf.numPages })
      setOpened({ document: pdf, page: { width, height } })
    }
    show().catch(async (cause: unknown) => {
      // The server says why it refused, and asks to sign in when the session has ended.
      const reason = await assertServed(contentAddress(file)).then(
        () => cause,
        (refusal: unknown) => refusal,
      )
      if (!isLeft) setFailure(reason)
    })
    preview.picture.value = {
      zoomBy: (steps) => {
        preview.zoom.value = steppedZoom(preview.zoom.peek(), steps)
      },
      reset: () => {
        preview.zoom.value = 1
      },
      pan: ({ x, y }) => pane.current?.scrollBy(-x, -y),
    }
    return () => {
      isLeft = true
      preview.details.value = ''
      preview.picture.value = undefined
      preview.zoom.value = 1
      close()
    }
  }, [attempt])
  useEffect(() => {
    if (!pane.current) return
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    observer.observe(pane.current)
    return () => observer.disconnect()
  }, [])
  const retry = () => {
    setFailure(undefined)
    setAttempt(attempt + 1)
  }
  if (failure !== undefined) return <ShowFailure file={file} failure={failure} onRetry={retry} />
  const width = Math.round(Math.min(widestPage, Math.max(0, room - padding)) * clampZoom(zoom))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by the keyboard
    <div ref={pane} className="viewer-pages" role="document" tabIndex={0} aria-label={file.name} aria-busy={!opened}>
      {!opened && <span className="viewer-wait" />}
      {opened &&
        width > 0 &&
        Array.from({ length: opened.document.numPages }, (_, index) => (
          <PdfPage
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
            key={index}
            document={opened.document}
            number={index + 1}
            size={{ width, height: Math.round((width * opened.page.height) / opened.page.width) }}
            label={t('preview.page', { number: index + 1 })}
          />
        ))}
    </div>
  )
})
