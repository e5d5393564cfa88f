// Caches of Intl objects: making one takes a hundred times as long as using it, and scrolling a listing needs thousands.

const numberFormats = new Map<string, Intl.NumberFormat>()
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()
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
