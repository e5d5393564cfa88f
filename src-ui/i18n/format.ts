import { dateFormat, numberFormat } from './intl.ts'
import { locale } from './locale.ts'
import { type Key, t } from './t.ts'

const units = ['size.bytes', 'size.kilobytes', 'size.megabytes', 'size.gigabytes', 'size.terabytes', 'size.petabytes'] as const

/** A size in decimal units: 612 bytes, 88 KB, 5.1 MB, 1.34 GB. */
export function formatSize(bytes: number): string {
  let unit = 0
  let value = bytes
  // Compares the rounded value: 999.95 KB would become 1,000 KB instead of 1 MB.
  while (unit < units.length - 1 && Number(value.toFixed(decimals(value, unit))) >= 1000) {
    value /= 1000
    unit += 1
  }
  if (unit === 0) return t('size.bytes', { count: bytes })
  return t(units[unit] as Key, { number: formatNumber(value, decimals(value, unit)) })
}

/** An exact size: 5,103,982 bytes. */
export const formatExactSize = (bytes: number): string => t('size.bytes', { count: bytes })

/** A number in the current language. */
export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return numberFormat(locale.value.code, { maximumFractionDigits }).format(value)
}

/** A whole percentage. @param value 1 is 100 % */
export function formatPercent(value: number): string {
  return numberFormat(locale.value.code, { style: 'percent', maximumFractionDigits: 0 }).format(value)
}

/** A duration in one unit, rounded up: 21 sec, 3 min, 2 hr. @param seconds at most some years */
export function formatDuration(seconds: number): string {
  const [unit, length] = durationUnits.find(([, length]) => seconds > 1.5 * length) ?? (['second', 1] as const)
  return numberFormat(locale.value.code, { style: 'unit', unit, unitDisplay: 'short' }).format(Math.ceil(seconds / length))
}

/** Seconds. Each is used from one and a half on, so that the number keeps changing. */
const durationUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Day and time, `19 Nov 2026, 16:10`; '' for an invalid time. */
export const formatDate = (when: string | number | Date): string => format(when, { dateStyle: 'medium', timeStyle: 'short' })

/** Weekday, day and time with seconds. */
export const formatExactDate = (when: string | number | Date): string => format(when, { dateStyle: 'full', timeStyle: 'medium' })

/** The day, `19 Nov 2026`. */
export const formatDay = (when: string | number | Date): string => format(when, { dateStyle: 'medium' })

// About three digits are enough and keep the columns of a list aligned.
function decimals(value: number, unit: number): number {
  if (unit === 0) return 0
  if (unit === 1) return value < 9.95 ? 1 : 0
  if (unit === 2) return value < 99.95 ? 1 : 0
  if (value < 9.995) return 2
  return value < 99.95 ? 1 : 0
}

function format(when: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(when)
  return Number.isNaN(date.getTime()) ? '' : dateFormat(locale.value.code, options).format(date)
}
