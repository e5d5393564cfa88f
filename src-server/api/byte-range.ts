/** Positions of the first and the last byte. */
export type ByteRange = Readonly<{ start: number; end: number }>

/**
 * The one range that a request asks for (RFC 9110, section 14). A header that cannot be read, and one with several ranges, ask
 * for the whole.
 * @returns 'none' when the file has no such bytes
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const [, first, last] = /^ *bytes *= *(\d*) *- *(\d*) *$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return 'whole'
  if (first === '') return lastBytes(Number(last), size)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  return Number(first) < size ? { start: Number(first), end } : 'none'
}

/** More than there are is all of them. */
function lastBytes(count: number, size: number): ByteRange | 'whole' | 'none' {
  if (count === 0) return 'none'
  return size === 0 ? 'whole' : { start: Math.max(0, size - count), end: size - 1 }
}
