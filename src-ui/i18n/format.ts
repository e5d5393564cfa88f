import { numberFormat, relativeFormat } from './intl.ts'
import { locale } from './locale.ts'
import { type Key, t } from './t.ts'

const units = ['size.bytes', 'size.kilobytes', 'size.megabytes', 'size.gigabytes', 'size.terabytes', 'size.petabytes'] as const

/** Bytes as a person reads them, in steps of a thousand: 612 bytes, 88 KB, 5.1 MB, 1.34 GB. */
export function formatSize(bytes: number): string {
  let unit = 0
  let value = bytes
  // 999.95 KB would be written 1,000 KB: the next unit says it shorter.
  while (unit < units.length - 1 && Number(value.toFixed(decimals(value, unit))) >= 1000) {
    value /= 1000
    unit += 1
  }
  if (unit === 0) return t('size.bytes', { count: bytes })
  return t(units[unit] as Key, { number: formatNumber(value, decimals(value, unit)) })
}

/** Every byte counted: 5,103,982 bytes. */
export const formatExactSize = (bytes: number): string => t('size.bytes', { count: bytes })

export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return numberFormat(locale.value.code, maximumFractionDigits).format(value)
}

/** Of 1, as a whole percentage. */
export function formatPercent(value: number): string {
  return new Intl.NumberFormat(locale.value.code, { style: 'percent', maximumFractionDigits: 0 }).format(value)
}

/** Day and time, `19 Nov 2026, 16:10`; '' for a time that cannot be read. */
export const formatDate = (when: string | number | Date): string => format(when, { dateStyle: 'medium', timeStyle: 'short' })

/** Weekday, day and time to the second. */
export const formatExactDate = (when: string | number | Date): string => format(when, { dateStyle: 'full', timeStyle: 'medium' })

/** `19 Nov 2026` */
export const formatDay = (when: string | number | Date): string => format(when, { dateStyle: 'medium' })

const day = 86_400_000
const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, length: number])[] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['day', day],
  ['hour', day / 24],
  ['minute', day / 1440],
]

/** How long ago, in the largest unit that fits: `yesterday`, `3 months ago`. @param now milliseconds since the epoch */
export function formatAgo(when: string | number | Date, now = Date.now()): string {
  const passed = new Date(when).getTime() - now
  if (Number.isNaN(passed)) return ''
  const [unit, length] = steps.find(([, length]) => Math.abs(passed) >= length) ?? ['minute', day / 1440]
  return relativeFormat(locale.value.code).format(Math.trunc(passed / length), unit)
}

// One decimal below a hundred megabytes, two below ten gigabytes: three digits say enough and stand still in a column.
function decimals(value: number, unit: number): number {
  if (unit === 0) return 0
  if (unit === 1) return value < 9.95 ? 1 : 0
  if (unit === 2) return value < 99.95 ? 1 : 0
  if (value < 9.995) return 2
  return value < 99.95 ? 1 : 0
}

function format(when: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(when)
  return Number.isNaN(date.getTime()) ? '' : formatter(locale.value.code, options).format(date)
}

// Making a formatter costs a hundred times what using it does, and a listing asks for thousands.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(code: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${code} ${options.dateStyle} ${options.timeStyle}`
  let found = formatters.get(name)
  if (!found) {
    found = new Intl.DateTimeFormat(code === 'en' ? englishOf(navigator.languages) : code, options)
    formatters.set(name, found)
  }
  return found
}

/** English, as the reader's own region writes it: 19 Nov 2026 or Nov 19, 2026. */
function englishOf(languages: readonly string[] | undefined): string {
  return languages?.find((language) => /^en\b/i.test(language)) ?? 'en'
}
