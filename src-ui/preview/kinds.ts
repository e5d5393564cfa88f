// How a file is shown, by its type and the ending of its name.
import { pageConfig } from '../api/page-config.ts'
import type { Scope } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { shapeOf } from '../ui/file-shape.ts'

/** Endings of the pictures that the server sends inline and every browser shows. */
const shownByBrowsers = /\.(png|jpe?g|jpe|jfif|gif|webp|avif|bmp|ico)$/i
const isDrawing = ({ name }: Pick<Entry, 'name'>): boolean => /\.svg$/i.test(name)
/** Bytes of a drawing beyond which it is not shown: the browser would draw all of it at once. */
export const largestDrawing = 20_000_000

/** Where the pixels of a picture come from: the file, a smaller picture that the server makes, or a drawing read by the page. */
export type PictureSource = 'file' | 'big' | 'drawing'

/** The sources of a picture, the best first; none when it cannot be shown. */
export function pictureSources(
  entry: Pick<Entry, 'name' | 'size'>,
  isFullSize: boolean,
  hasPreviews = pageConfig.ResizePreview,
): PictureSource[] {
  const big: PictureSource[] = hasPreviews ? ['big'] : []
  if (isDrawing(entry)) return entry.size <= largestDrawing ? ['drawing', ...big] : big
  if (!shownByBrowsers.test(entry.name)) return big
  // A smaller picture of an animation would stand still.
  return isFullSize || /\.gif$/i.test(entry.name) ? ['file'] : [...big, 'file']
}

/** Whether there is a choice between the file and a smaller picture of it. */
export const hasFullSize = (entry: Pick<Entry, 'name' | 'size'>, hasPreviews = pageConfig.ResizePreview): boolean =>
  pictureSources(entry, false, hasPreviews).length > 1 && !isDrawing(entry)

/** Whether the browser shows PDF documents by itself; those of phones do not. */
export const ownsPdfViewer = (): boolean => typeof navigator !== 'undefined' && navigator.pdfViewerEnabled === true

/** Bytes beyond which the server takes nothing for a text. */
const largestText = 10 << 20

/** Whether a file is no text for its size alone, as its name tells. */
export const isLargeText = ({ name, size }: Pick<Entry, 'name' | 'size'>): boolean =>
  size > largestText && (shapeOf('', false, name) === 'code' || /\.(txt|log|md|markdown|csv|tsv|ini|conf)$/i.test(name))

type KindFacts = {
  fits(file: Pick<Entry, 'type' | 'name' | 'size'>): boolean
  /** Whose keys count while such a file is shown, innermost first. */
  scopes: readonly Scope[]
}

/** The kinds of files; `file-content.tsx` has what shows them. A file is of the first kind that fits. */
export const kinds = {
  picture: { fits: (file) => file.type === 'image' && pictureSources(file, true).length > 0, scopes: ['picture', 'viewer'] },
  video: { fits: ({ type }) => type === 'video', scopes: ['player', 'viewer'] },
  audio: { fits: ({ type }) => type === 'audio', scopes: ['player', 'viewer'] },
  pdf: { fits: ({ type }) => type === 'pdf', scopes: ownsPdfViewer() ? ['viewer'] : ['picture', 'viewer'] },
  /** Details and a download button. */
  card: { fits: () => true, scopes: ['viewer'] },
} satisfies Record<string, KindFacts>

export type Kind = keyof typeof kinds

export const kindOf = (file: Pick<Entry, 'type' | 'name' | 'size'>): Kind =>
  (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].fits(file)) ?? 'card'
