import type { Entry } from '../core/entries.ts'
import { slice } from '../core/workspace.ts'
import type { ShownFile } from './content-address.ts'
import { type LoadedPicture, loadPicture } from './load-picture.ts'

/** A picture that is being loaded, or was. */
export type Pending = {
  /** The element, which may be shown while its pixels arrive; undefined while none is needed yet. */
  element: HTMLImageElement | undefined
  picture: Promise<LoadedPicture>
  /** Stops loading and frees the picture. */
  stop(): void
}

/** Begins to load a picture. */
export function beginPicture(
  entry: ShownFile,
  { isFullSize, isAhead, onElement }: { isFullSize: boolean; isAhead: boolean; onElement?: (element: HTMLImageElement) => void },
): Pending {
  const stopping = new AbortController()
  const pending: Pending = {
    element: undefined,
    picture: loadPicture(entry, {
      isFullSize,
      isAhead,
      signal: stopping.signal,
      onElement(element) {
        pending.element = element
        onElement?.(element)
      },
    }),
    stop() {
      stopping.abort()
      void pending.picture.then(
        (picture) => picture.release(),
        () => undefined,
      )
    },
  }
  return pending
}

/** The next picture, loaded ahead. There is at most one. */
export class Prefetched {
  #kept: { key: string; pending: Pending } | undefined

  /** Loads a picture ahead in place of the one before. */
  prepare(entry: Entry, isFullSize: boolean): void {
    const key = keyOf(entry, isFullSize)
    if (this.#kept?.key === key) return
    this.drop()
    const pending = beginPicture(entry, { isFullSize, isAhead: true })
    pending.picture.catch(() => this.#kept?.key === key && this.drop())
    this.#kept = { key, pending }
  }

  /** Hands over the picture that was loaded ahead; undefined when it is another one. The caller stops it. */
  take(entry: ShownFile, isFullSize: boolean): Pending | undefined {
    const kept = this.#kept
    if (kept?.key !== keyOf(entry, isFullSize)) return undefined
    this.#kept = undefined
    return kept.pending
  }

  drop(): void {
    const kept = this.#kept
    this.#kept = undefined
    kept?.pending.stop()
  }
}

const keyOf = ({ path, trashed, modified, size }: ShownFile, isFullSize: boolean): string =>
  `${trashed?.raw ?? path}\0${modified}\0${size}\0${isFullSize}`

export const prefetchedSlice = slice('prefetched', () => new Prefetched())
