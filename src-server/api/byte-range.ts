/** Positions of the first and the last byte. */
export type ByteRange = Readonly<{ start: number; end: number }>

/**
 * Parses a Range header with one range (RFC 9110, section 14).
 * @param size of the file, in bytes
 * @returns 'whole' for an invalid header and for several ranges, 'none' when the range lies outside the file
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const [, first, last] = /^ *bytes *= *(\d*) *- *(\d*) *$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return 'whole'
  if (first === '') return lastBytes(Number(last), size)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  return Number(first) < size ? { start: Number(first), end } : 'none'
}

/** A suffix longer than the file is the whole file. */
function lastBytes(count: number, size: number): ByteRange | 'whole' | 'none' {
  if (count === 0) return 'none'
  return size === 0 ? 'whole' : { start: Math.max(0, size - count), end: size - 1 }
}
