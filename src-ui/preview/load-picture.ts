import type { Resolution } from '../../src-server/contract/previews.ts'
import { assertServed, call, fetchBlob } from '../api/http.ts'
import { bigPictureAddress, contentAddress, type ShownFile } from './content-address.ts'
import { type PictureSource, pictureSources } from './kinds.ts'

export type LoadedPicture = {
  element: HTMLImageElement
  source: PictureSource
  /** Frees what the element holds. */
  release(): void
}

/** Pixels of the longest side of a smaller picture of the server. With fewer pixels it is as large as the file. */
const bigSide = 2048

const isSmaller = ({ source, element }: LoadedPicture): boolean =>
  source === 'big' && Math.max(element.naturalWidth, element.naturalHeight) >= bigSide

/** Whether the picture is drawn as large as the stage, though it has fewer pixels. */
export const mayEnlarge = (picture: LoadedPicture): boolean => picture.source === 'drawing' || isSmaller(picture)

/** The pixels of the file, `4032 × 2688`, which may be more than were loaded; '' when they are not known. */
export async function pixelsOf(picture: LoadedPicture, { path, trashed }: ShownFile): Promise<string> {
  const { naturalWidth, naturalHeight } = picture.element
  if (!isSmaller(picture)) return `${naturalWidth} × ${naturalHeight}`
  if (trashed) return ''
  const query = { content: 'false', metadata: 'true' }
  const { resolution } = (await call('GET /api/resources/*', { path, query })) as { resolution?: Resolution }
  return resolution ? `${resolution.width} × ${resolution.height}` : ''
}

export type LoadHow = {
  isFullSize: boolean
  /** Nobody waits for it: a failure need not be explained. */
  isAhead?: boolean
  signal: AbortSignal
  /** Called with the element before its pixels have arrived: a browser draws a large picture while it comes. */
  onElement: (element: HTMLImageElement) => void
}

/**
 * Loads a picture from its best source that works.
 * @throws HttpFailure when the server refuses it, Error when the browser cannot show it
 */
export async function loadPicture(
  entry: ShownFile,
  { isFullSize, isAhead = false, signal, onElement }: LoadHow,
): Promise<LoadedPicture> {
  let failure: unknown
  for (const source of pictureSources(entry, isFullSize)) {
    try {
      return await loadFrom(source, entry, { signal, onElement })
    } catch (cause) {
      signal.throwIfAborted()
      failure = cause
    }
  }
  // The browser does not say why: the server does, and asks to sign in when the session has ended.
  if (!isAhead) await assertServed(contentAddress(entry))
  throw failure
}

type Loading = Pick<LoadHow, 'signal' | 'onElement'>

async function loadFrom(source: PictureSource, entry: ShownFile, { signal, onElement }: Loading): Promise<LoadedPicture> {
  const element = new Image()
  element.alt = entry.name
  element.draggable = false
  const address = await addressOf(source, entry, signal)
  const release = () => {
    // Aborts the request.
    element.removeAttribute('src')
    if (address.startsWith('blob:')) URL.revokeObjectURL(address)
  }
  signal.addEventListener('abort', release)
  try {
    await new Promise<void>((resolve, reject) => {
      element.onload = () => resolve()
      element.onerror = () => reject(new Error('the browser cannot show this picture'))
      signal.addEventListener('abort', () => reject(signal.reason))
      element.src = address
      onElement(element)
    })
    return { element, source, release }
  } catch (cause) {
    release()
    throw cause
  } finally {
    signal.removeEventListener('abort', release)
  }
}

async function addressOf(source: PictureSource, file: ShownFile, signal: AbortSignal): Promise<string> {
  if (source === 'big') return bigPictureAddress(file)
  if (source === 'file') return contentAddress(file, { inline: true })
  // The server sends drawings as attachments, because they may hold scripts. In an image element none runs.
  const content = await fetchBlob(contentAddress(file), signal)
  return URL.createObjectURL(new Blob([content], { type: 'image/svg+xml' }))
}
