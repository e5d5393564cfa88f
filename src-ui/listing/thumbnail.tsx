import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import type { Entry } from '../core/entries.ts'
import { tileFit } from '../core/preferences.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Slice } from '../core/workspace.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { shapeOf } from '../ui/file-shape.ts'
import { view } from '../ui/view.tsx'
import { type Thumbnails, thumbnailsSlice, type WantedThumbnail } from './thumbnails.ts'

/** What is shown; `from`: what loads the thumbnails, unless they are those of the files. */
type Props = {
  entry: Pick<Entry, 'path' | 'name' | 'isDir' | 'type' | 'size' | 'modified' | 'unreachable'>
  from?: Slice<Thumbnails>
}

/** The picture of a file in its tile: a thumbnail where there is one, else the icon of its kind. Its size never changes. */
export const TilePicture = view(function TilePicture({ entry, from = thumbnailsSlice }: Props) {
  const frame = useRef<HTMLSpanElement>(null)
  const thumbnail = useThumbnail(entry, from, frame)
  const [shownUrl, setShown] = useState<string>()
  const state = thumbnail?.state.value ?? 'none'
  const url = typeof state === 'object' ? state.url : undefined
  const isShown = url !== undefined && shownUrl === url
  return (
    <span
      className="tile-picture"
      ref={frame}
      data-type={shapeOf(entry.type, entry.isDir, entry.name)}
      data-fit={tileFit.value}
      data-drawing={/\.svg$/i.test(entry.name) || undefined}
      data-thumbnail={isShown ? 'shown' : state === 'none' ? undefined : 'loading'}
    >
      {!isShown && <FileIcon of={entry} />}
      {url && (
        <img
          className="thumbnail"
          src={url}
          alt=""
          draggable={false}
          decoding="async"
          onLoad={() => setShown(url)}
          onError={() => thumbnail?.refuse()}
        />
      )}
    </span>
  )
})

/** Names of the pictures that the server decodes. */
const pictures = /\.(jpe?g|jpe|jfif|a?png|gif|webp|avif|tiff?|svg)$/i
/** Bytes of the largest file that it decodes. */
const largestFile = 256_000_000

function useThumbnail(
  entry: Props['entry'],
  from: Slice<Thumbnails>,
  frame: RefObject<HTMLElement | null>,
): WantedThumbnail | undefined {
  const workspace = useWorkspace()
  const [wanted, setWanted] = useState<WantedThumbnail>()
  const { path, modified, size } = entry
  const isPicture = pictures.test(entry.name) && size > 0 && size <= largestFile && !entry.unreachable
  const isWanted = isPicture && pageConfig.EnableThumbs && workspace.may('download')
  // Before the first paint, so that a thumbnail that is loaded already is shown at once.
  useLayoutEffect(() => {
    if (!isWanted || !frame.current) return
    const thumbnail = workspace.use(from).want({ path, modified, size })
    setWanted(thumbnail)
    const stop = followView(frame.current, thumbnail.setInView)
    return () => {
      stop()
      thumbnail.release()
      setWanted(undefined)
    }
  }, [workspace, from, frame, isWanted, path, modified, size])
  return wanted
}

/** Tells whenever an element enters or leaves the window. @returns a function that ends it */
function followView(element: HTMLElement, tell: WantedThumbnail['setInView']): () => void {
  const observer = new IntersectionObserver((changes) => {
    const change = changes.at(-1)
    if (change) tell(change.isIntersecting, change.boundingClientRect.top)
  })
  observer.observe(element)
  return () => observer.disconnect()
}
