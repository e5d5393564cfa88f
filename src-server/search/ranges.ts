// The filters `size:` and `changed:`.
import { queryFailure } from './read-terms.ts'

/** Both ends belong to it. */
export type Range = Readonly<{ from: number; to: number }>

const units: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }
const sizePattern = /^(?<compare>[<>]=?|=?)(?<count>\d{1,15}(?:\.\d{1,6})?)(?<unit>b|[kmgt](?:i?b)?|)$/i
const sizeHint = 'size: needs a number of bytes, such as size:>10M, size:<=500k or size:1M..2G'

/** @returns bytes @throws Failure('invalid') */
export function readSizes(text: string): Range {
  return readRange(text, sizeHint, (part) => {
    const { compare = '', count, unit = '' } = sizePattern.exec(part)?.groups ?? {}
    if (count === undefined) return undefined
    const size = Number(count) * (units[unit.charAt(0).toLowerCase()] ?? 1)
    return { compare, from: size, to: size }
  })
}

const ageUnits: Readonly<Record<string, number>> = {
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  mo: 30 * 86_400_000,
  y: 365 * 86_400_000,
}
const agePattern = /^(?<compare>[<>]=?|)(?<count>\d{1,6})(?<unit>min|h|d|w|mo|y)$/i
const dayPattern = /^(?<compare>[<>]=?|=?)(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?$/
const changedHint = 'changed: needs an age or a day, such as changed:<7d, changed:>1y, changed:2024-05 or changed:2024..2025'

/**
 * An age is in min, h, d, w, mo (30 days) or y (365 days), and without a sign means at most this old. A day, a month or a year is of
 * the server's time zone. @param now milliseconds since the epoch @returns milliseconds since the epoch @throws Failure('invalid')
 */
export function readTimes(text: string, now: number): Range {
  const age = agePattern.exec(text)?.groups
  if (!age) return readRange(text, changedHint, readDay)
  const moment = now - Number(age.count) * (ageUnits[age.unit?.toLowerCase() ?? ''] ?? 0)
  return age.compare?.startsWith('>')
    ? { from: Number.NEGATIVE_INFINITY, to: moment }
    : { from: moment, to: Number.POSITIVE_INFINITY }
}

type Compared = Range & Readonly<{ compare: string }>

function readDay(text: string): Compared | undefined {
  const { compare = '', year, month, day } = dayPattern.exec(text)?.groups ?? {}
  if (year === undefined) return undefined
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const begin = new Date(y, m, d)
  const isReal = begin.getMonth() === m && begin.getDate() === d
  const end = day ? new Date(y, m, d + 1) : month ? new Date(y, m + 1, 1) : new Date(y + 1, 0, 1)
  return isReal ? { compare, from: begin.getTime(), to: end.getTime() - 1 } : undefined
}

/** `a..b` is from a to b, and either may be left out. */
function readRange(text: string, hint: string, read: (text: string) => Compared | undefined): Range {
  const ends = text.split('..')
  if (ends.length > 2 || text === '..') throw queryFailure(hint)
  const [first, last = first] = ends.map((end) =>
    end === '' && ends.length === 2 ? { from: least, to: most, compare: '' } : read(end),
  )
  const isPlain = ends.length === 1 || (first?.compare === '' && last?.compare === '')
  if (!first || !last || !isPlain) throw queryFailure(hint)
  return ends.length === 1 ? compared(first) : { from: first.from, to: last.to }
}

const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** The values are whole bytes and milliseconds. */
function compared({ compare, from, to }: Compared): Range {
  switch (compare) {
    case '<':
      return { from: least, to: Math.ceil(from) - 1 }
    case '<=':
      return { from: least, to }
    case '>':
      return { from: Math.floor(to) + 1, to: most }
    case '>=':
      return { from, to: most }
    default:
      return { from, to }
  }
}
