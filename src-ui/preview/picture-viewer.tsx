import { useEffect, useRef, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { failureReason } from '../core/failure-reason.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { FileCard } from './file-card.tsx'
import { mayEnlarge } from './load-picture.ts'
import { previewSlice } from './preview.ts'
import { useGestures } from './use-gestures.ts'
import { usePicture } from './use-picture.ts'
import { useZoom } from './use-zoom.ts'

/** A picture that can be zoomed and moved. */
export const PictureViewer = view(function PictureViewer({ file }: { file: Entry }) {
  const workspace = useWorkspace()
  const preview = workspace.use(previewSlice)
  const [attempt, setAttempt] = useState(0)
  const { element, picture, failure } = usePicture(file, preview.isFullSize.value, attempt)
  const stage = useRef<HTMLDivElement>(null)
  const isEnlarged = picture !== undefined && mayEnlarge(picture)
  const zoom = useZoom(stage, picture?.element, isEnlarged)
  useGestures(stage, zoom)
  // The element is made outside of React, because it was loaded before it is shown.
  useEffect(() => {
    if (!element) return
    stage.current?.append(element)
    return () => element.remove()
  }, [element])
  useEffect(() => {
    if (!element) return
    const { zoom: scale, x, y } = zoom.state
    element.className = isEnlarged ? 'picture picture-enlarged' : 'picture'
    element.style.transform = scale === 1 && x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px) scale(${scale})`
  }, [element, isEnlarged, zoom.state])
  if (failure !== undefined)
    return (
      <FileCard file={file} reason={reasonOf(failure)}>
        <Button icon="refresh" label={t('action.retry')} onClick={() => setAttempt(attempt + 1)} />
      </FileCard>
    )
  return (
    <div ref={stage} className="picture-stage" data-zoomed={zoom.state.zoom > 1 || undefined} aria-busy={picture === undefined}>
      {picture === undefined && <span className="viewer-wait" />}
    </div>
  )
})

const reasonOf = (failure: unknown): string => (failure instanceof HttpFailure ? failureReason(failure) : t('preview.broken'))
