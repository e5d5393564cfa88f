import { refusedField } from '../base/failure.ts'
import { type ExpiryUnit, expiryUnits, largestExpiry } from '../contract/shares.ts'

const secondsOf: Readonly<Record<ExpiryUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

/** How long a link is to lead somewhere, as it was asked for. */
export type Expiry = Readonly<{ expires?: string | number | undefined; unit?: string | undefined }>

/**
 * When a link expires, in seconds since the epoch; 0 for never. Unknown units count as hours, as existing clients expect.
 * @param now milliseconds since the epoch
 * @throws Failure('invalid') for what is not a whole number from 0 to 2,147,483,647
 */
export function expireOf({ expires, unit }: Expiry, now: number): number {
  const text = String(expires ?? '').trim()
  if (text === '') return 0
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(count <= largestExpiry))
    throw refusedField('expires', 'must be a whole number from {{least}} to {{most}}', { least: 0, most: largestExpiry })
  const known = expiryUnits.find((one) => one === unit) ?? 'hours'
  return Math.floor(now / 1000) + count * secondsOf[known]
}
