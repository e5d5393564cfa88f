import { numberFormat } from './intl.ts'
import { locale } from './locale.ts'

/** A number of days: `30 days`. */
export const formatDays = (days: number): string =>
  numberFormat(locale.value.code, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
