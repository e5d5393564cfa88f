// Headers of the content of files: inert types are shown inline, all others are attachments, and no script of a file can run in
// the origin of the page.
import { kindByName, mediaTypeOf } from '../files/kinds.ts'

/** The headers of an answer with the content of a file. */
export type ContentHeaders = Readonly<
  Record<'Content-Type' | 'Content-Disposition' | 'Content-Security-Policy' | 'Cross-Origin-Resource-Policy', string>
>

/** Types of pictures without scripts; SVG can contain scripts. */
const inertImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp', 'image/x-icon'])

const policies = {
  still: "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  // Without `sandbox`, in which browsers do not play a video that is opened in a tab.
  playing: "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  pdf: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  other: "sandbox; default-src 'none'",
} as const

/**
 * @param inline whether the client asks to show the file; types that are not inert are attachments nevertheless
 * @param isEmbeddable whether pages of other sites may show it, if it is a picture
 */
export function contentHeaders(name: string, inline: boolean, isEmbeddable = false): ContentHeaders {
  const shown = inline ? shownAs(name) : undefined
  return {
    'Content-Type': shown?.type ?? 'application/octet-stream',
    'Content-Disposition': `${shown ? 'inline' : 'attachment'}; ${fileNames(name)}`,
    'Content-Security-Policy': policies[shown?.policy ?? 'other'],
    'Cross-Origin-Resource-Policy': isEmbeddable && inline && isInertImage(name) ? 'cross-origin' : 'same-origin',
  }
}

/** Whether a file of this name is a picture that browsers show and that can contain no script. */
export function isInertImage(name: string): boolean {
  return inertImages.has(mediaTypeOf(name) ?? '')
}

function shownAs(name: string): { type: string; policy: keyof typeof policies } | undefined {
  const kind = kindByName(name)
  if (kind === 'text') return { type: 'text/plain; charset=utf-8', policy: 'still' }
  const type = mediaTypeOf(name)
  if (type === undefined) return undefined
  if (kind === 'audio' || kind === 'video') return { type, policy: 'playing' }
  if (kind === 'pdf') return { type, policy: 'pdf' }
  return inertImages.has(type) ? { type, policy: 'still' } : undefined
}

/** Both forms of RFC 6266: `filename` for all clients, and `filename*` with the exact name. */
function fileNames(name: string): string {
  const wellFormed = name.toWellFormed()
  const ascii = wellFormed.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  return `filename="${ascii}"; filename*=UTF-8''${extended(wellFormed)}`
}

/** RFC 8187: also encodes the characters that encodeURIComponent keeps and this form does not allow. */
function extended(text: string) {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
