/**
 * RFC 3339 in the server's own offset, with nanoseconds whose trailing zeros are dropped: `2020-09-13T08:31:40.5-04:00`, `…Z` in
 * UTC. RFC 3339 has years of four digits only: an earlier or later time of a file system becomes the first or last second that it
 * can express.
 * @param nanoseconds since the epoch
 */
export function rfc3339(nanoseconds: bigint): string {
  const rest = Number(nanoseconds % billion)
  const fraction = rest < 0 ? rest + 1e9 : rest
  const seconds = Number(nanoseconds / billion) - (rest < 0 ? 1 : 0)
  if (seconds < firstSecond) return '0000-01-01T00:00:00Z'
  if (seconds > lastSecond) return '9999-12-31T23:59:59Z'
  const offset = -new Date(seconds * 1000).getTimezoneOffset()
  return localText(seconds + offset * 60) + fractionText(fraction) + offsetText(offset)
}

/** One day within the years 0 to 9999, so that no offset exceeds them. */
const firstSecond = -62_167_132_800
const lastSecond = 253_402_214_400
const billion = 1_000_000_000n
const secondsOfDay = 86_400

function localText(seconds: number) {
  const day = Math.floor(seconds / secondsOfDay)
  const time = seconds - day * secondsOfDay
  return `${dayText(day)}T${two(Math.floor(time / 3600))}:${two(Math.floor(time / 60) % 60)}:${two(time % 60)}`
}

// Formatting the day took most of the time of rfc3339, and the files of a folder have few different days.
const days = new Map<number, string>()
const mostDays = 5000

function dayText(day: number): string {
  const known = days.get(day)
  if (known) return known
  if (days.size >= mostDays) days.clear()
  const text = new Date(day * secondsOfDay * 1000).toISOString().slice(0, -14)
  days.set(day, text)
  return text
}

function fractionText(fraction: number) {
  if (fraction === 0) return ''
  const digits = String(fraction).padStart(9, '0')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return `.${digits.slice(0, end)}`
}

function offsetText(minutes: number) {
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function two(value: number) {
  return value < 10 ? `0${value}` : String(value)
}
