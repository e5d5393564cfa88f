import { useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import { view } from '../ui/view.tsx'
import type { ShownFile } from './content-address.ts'
import { mayEnlarge } from './load-picture.ts'
import { previewSlice } from './preview.ts'
import { ShowFailure } from './show-failure.tsx'
import { useGestures } from './use-gestures.ts'
import { usePicture } from './use-picture.ts'
import { useZoom } from './use-zoom.ts'

/** A picture that can be zoomed and moved. */
export const PictureViewer = view(function PictureViewer({ file }: { file: ShownFile }) {
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
  if (failure !== undefined) return <ShowFailure file={file} failure={failure} onRetry={() => setAttempt(attempt + 1)} />
  return (
    <div ref={stage} className="picture-stage" data-zoomed={zoom.state.zoom > 1 || undefined} aria-busy={picture === undefined}>
      {picture === undefined && <span className="viewer-wait" />}
    </div>
  )
})
