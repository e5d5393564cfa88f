// The kind of a file by its name alone; `content.ts` uses its bytes too.
import type { ResourceType } from '../contract/files.ts'
import { mediaTypes, textExtensions, textNames } from './kind-tables.ts'

/** With the dot and its case kept, from the last dot on: `.bashrc` is all extension; '' without a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

/** The media type for a name; undefined when there is none, or for text. */
export function mediaTypeOf(name: string): string | undefined {
  return mediaTypes[keyOf(name)]
}

/** The kind for a name; undefined when the bytes decide, if they may be read. */
export function promisedKind(name: string): ResourceType | undefined {
  const media = mediaTypeOf(name)
  if (media === 'application/pdf') return 'pdf'
  if (media) return media.slice(0, media.indexOf('/')) as 'image' | 'audio' | 'video'
  return isText(name) ? 'text' : undefined
}

/** The kind shown in a listing, where no file is opened. */
export function kindByName(name: string): ResourceType {
  return promisedKind(name) ?? 'blob'
}

function isText(name: string) {
  return textExtensions.has(keyOf(name)) || textNames.has(name.toLowerCase())
}

function keyOf(name: string) {
  return extensionOf(name).slice(1).toLowerCase()
}
