import { relativeFormat } from './intl.ts'
import { locale } from './locale.ts'

/** In seconds, largest first; months and years as long as they are on average. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/**
 * How long ago something was, as one says it: yesterday, 3 weeks ago; '' for a time that cannot be read. Days are days
 * of the calendar: late last evening is yesterday.
 */
export function formatAge(when: string | number | Date, now = new Date()): string {
  const date = new Date(when)
  if (Number.isNaN(date.getTime())) return ''
  const format = relativeFormat(locale.value.code)
  const days = daysBetween(now, date)
  if (Math.abs(days) >= 1 && Math.abs(days) < 7) return format.format(days, 'day')
  const seconds = (date.getTime() - now.getTime()) / 1000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? format.format(Math.trunc(seconds / unit[1]), unit[0]) : format.format(0, 'second')
}

// Noon to noon: a day of 23 or 25 hours is a day too.
const daysBetween = (from: Date, to: Date): number => Math.round((noonOf(to) - noonOf(from)) / 86_400_000)
const noonOf = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime()
