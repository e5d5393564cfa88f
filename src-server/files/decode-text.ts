// Texts in other encodings than UTF-8.
import { detect } from 'chardet'
import iconv from 'iconv-lite'

/** Bytes that are enough to recognise an encoding. */
const sampleSize = 64 * 1024
/** What is assumed when no encoding is recognised: every byte has a meaning in it. */
const fallback = 'windows-1252'

/** The text of bytes, by their byte-order mark, as UTF-8, or in the encoding that they most likely have. */
export function decodeText(bytes: Uint8Array): string {
  const marked = encodingOfMark(bytes)
  if (marked) return iconv.decode(bytes, marked)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const found = detect(bytes.subarray(0, sampleSize))
    return iconv.decode(bytes, found && found !== 'UTF-8' && iconv.encodingExists(found) ? found : fallback)
  }
}

function encodingOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
