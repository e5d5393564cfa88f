// The headers of people's files: inert kinds are shown inline, everything else is an attachment, and nothing runs in our origin.
import { kindByName, mediaTypeOf } from '../files/kinds.ts'

export type ContentHeaders = Readonly<
  Record<'Content-Type' | 'Content-Disposition' | 'Content-Security-Policy' | 'Cross-Origin-Resource-Policy', string>
>

/** Pictures that a browser cannot be made to run; SVG is none of them. */
const inertImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp', 'image/x-icon'])

const policies = {
  still: "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  // A sandboxed video never plays in a window of its own.
  playing: "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  pdf: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  other: "sandbox; default-src 'none'",
} as const

/** @param inline whether it is asked to be shown; it is only where that is harmless */
export function contentHeaders(name: string, inline: boolean): ContentHeaders {
  const shown = inline ? shownAs(name) : undefined
  return {
    'Content-Type': shown?.type ?? 'application/octet-stream',
    'Content-Disposition': `${shown ? 'inline' : 'attachment'}; ${fileNames(name)}`,
    'Content-Security-Policy': policies[shown?.policy ?? 'other'],
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
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

/** Both forms of RFC 6266: one that every client reads, and one that holds the whole name. */
function fileNames(name: string): string {
  const wellFormed = name.toWellFormed()
  const ascii = wellFormed.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  return `filename="${ascii}"; filename*=UTF-8''${extended(wellFormed)}`
}

/** RFC 8187: what encodeURIComponent leaves and this form does not allow is encoded as well. */
function extended(text: string) {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
