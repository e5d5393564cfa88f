import { formatDate } from './format.ts'
import { ageFormat, dateFormat } from './intl.ts'
import { locale } from './locale.ts'

/** Seconds, largest first; months and years of average length. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/**
 * A relative time: yesterday, 3 weeks ago; '' for an invalid time. Days are calendar days: last evening is always yesterday.
 */
export function formatAge(when: string | number | Date, now = new Date()): string {
  const date = new Date(when)
  if (Number.isNaN(date.getTime())) return ''
  const format = ageFormat(locale.value.code)
  const days = daysBetween(now, date)
  if (Math.abs(days) >= 1 && Math.abs(days) < 7) return format.format(days, 'day')
  const seconds = (date.getTime() - now.getTime()) / 1000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? format.format(Math.trunc(seconds / unit[1]), unit[0]) : format.format(0, 'second')
}

// Counted from noon to noon, because the change to summer time makes days of 23 and 25 hours.
const daysBetween = (from: Date, to: Date): number => Math.round((noonOf(to) - noonOf(from)) / 86_400_000)
const noonOf = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime()

/** As `formatDate`, with seconds when another time would be the same text. */
export function formatDateBeside(when: string | number | Date, other: string | number | Date): string {
  const text = formatDate(when)
  if (text === '' || text !== formatDate(other)) return text
  return dateFormat(locale.value.code, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(when))
}
