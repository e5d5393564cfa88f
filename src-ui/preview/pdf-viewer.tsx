import { type FC, useEffect, useState } from 'react'
import { assertServed } from '../api/http.ts'
import { LazyPart } from '../core/lazy-part.ts'
import { view } from '../ui/view.tsx'
import { contentAddress, type ShownFile } from './content-address.ts'
import { ownsPdfViewer } from './kinds.ts'
import { ShowFailure } from './show-failure.tsx'

const pages = new LazyPart<{ PdfPages: FC<{ file: ShownFile }> }>(() => import('./pdf-pages.tsx'))

/** A PDF document: in the viewer of the browser, else drawn by pdf.js. */
export const PdfViewer = view(function PdfViewer({ file }: { file: ShownFile }) {
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const [isServed, setServed] = useState(false)
  const hasViewer = ownsPdfViewer()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller has a key for each file
  useEffect(() => {
    let isLeft = false
    // A frame would show the server's refusal as a page.
    const ready = hasViewer ? assertServed(contentAddress(file)) : pages.load()
    ready.then(
      () => isLeft || setServed(true),
      (cause: unknown) => isLeft || setFailure(cause),
    )
    return () => {
      isLeft = true
    }
  }, [attempt])
  const retry = () => {
    setFailure(undefined)
    setAttempt(attempt + 1)
  }
  if (failure !== undefined) return <ShowFailure file={file} failure={failure} onRetry={retry} />
  const part = pages.value.value
  if (!hasViewer && part) return <part.PdfPages file={file} />
  if (!hasViewer || !isServed) return <span className="viewer-wait" />
  return <iframe className="viewer-frame" src={contentAddress(file, { inline: true })} title={file.name} />
})
