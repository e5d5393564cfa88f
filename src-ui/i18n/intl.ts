// Caches of Intl objects: making one takes a hundred times as long as using it, and scrolling a listing needs thousands.

const numberFormats = new Map<string, Intl.NumberFormat>()
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()
const unitFormats = new Map<string, Intl.NumberFormat>()
const pluralRules = new Map<string, Intl.PluralRules>()

/** @param digits maximum digits after the decimal sign; without it, the default of the language */
export function numberFormat(code: string, digits?: number): Intl.NumberFormat {
  const name = `${code} ${digits}`
  let found = numberFormats.get(name)
  if (!found) {
    found = new Intl.NumberFormat(code, digits === undefined ? {} : { maximumFractionDigits: digits })
    numberFormats.set(name, found)
  }
  return found
}

export function pluralRule(code: string): Intl.PluralRules {
  let found = pluralRules.get(code)
  if (!found) {
    found = new Intl.PluralRules(code)
    pluralRules.set(code, found)
  }
  return found
}

export function relativeFormat(code: string): Intl.RelativeTimeFormat {
  let found = relativeFormats.get(code)
  if (!found) {
    found = new Intl.RelativeTimeFormat(code, { numeric: 'auto' })
    relativeFormats.set(code, found)
  }
  return found
}

/** Numbers with a unit, in its short form. */
export function unitFormat(code: string, unit: 'second' | 'minute' | 'hour' | 'day'): Intl.NumberFormat {
  const name = `${code} ${unit}`
  let found = unitFormats.get(name)
  if (!found) {
    found = new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay: 'short' })
    unitFormats.set(name, found)
  }
  return found
}
