/**
 * RFC 3339 in the server's own offset, with nanoseconds whose trailing zeros are dropped: `2020-09-13T08:31:40.5-04:00`, `…Z` in UTC.
 * @param nanoseconds since the epoch
 */
export function rfc3339(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % billion) + billion) % billion
  const moment = new Date(Number((nanoseconds - fraction) / million))
  const offset = -moment.getTimezoneOffset()
  const local = offset === 0 ? moment : new Date(moment.getTime() + offset * 60_000)
  return local.toISOString().slice(0, -5) + fractionText(fraction) + offsetText(offset)
}

const million = 1_000_000n
const billion = 1_000_000_000n

function fractionText(fraction: bigint) {
  return fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`
}

function offsetText(minutes: number) {
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function two(value: number) {
  return String(value).padStart(2, '0')
}
