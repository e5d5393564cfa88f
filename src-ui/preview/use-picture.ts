import { useEffect, useState } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import type { ShownFile } from './content-address.ts'
import { type LoadedPicture, pixelsOf } from './load-picture.ts'
import { beginPicture, prefetchedSlice } from './prefetched.ts'
import { previewSlice } from './preview.ts'

/** What there is of a picture: its element, which may still be loading; then the picture, or why it cannot be shown. */
export type PictureState = {
  element?: HTMLImageElement | undefined
  picture?: LoadedPicture
  failure?: unknown
}

/** Loads a picture, or takes the one that was loaded ahead. @param attempt another number loads it again */
export function usePicture(file: ShownFile, isFullSize: boolean, attempt: number): PictureState {
  const workspace = useWorkspace()
  const prefetched = workspace.use(prefetchedSlice)
  const { isShown, details } = workspace.use(previewSlice)
  const [state, setState] = useState<PictureState>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller has a key for each file
  useEffect(() => {
    let isLeft = false
    const tell = (pixels: string) => {
      details.value = pixels
    }
    const show = (next: PictureState) => isLeft || setState(next)
    const onElement = (element: HTMLImageElement) => show({ element })
    const taken = prefetched.take(file, isFullSize)
    if (taken?.element) onElement(taken.element)
    const pending = taken ?? beginPicture(file, { isFullSize, isAhead: false, onElement })
    pending.picture.then(
      (picture) => {
        if (isLeft) return
        pixelsOf(picture, file).then(
          (pixels) => isLeft || tell(pixels),
          () => undefined,
        )
        isShown.value = true
        show({ element: picture.element, picture })
      },
      (failure: unknown) => show({ failure }),
    )
    return () => {
      isLeft = true
      isShown.value = false
      details.value = ''
      pending.stop()
    }
  }, [isFullSize, attempt])
  return state
}
