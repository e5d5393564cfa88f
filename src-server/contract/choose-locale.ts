/**
 * Chooses a language of the interface.
 * @param preferred language tags of the browser or the account, by preference: `pt-PT`, `zh-Hant-TW`, `nl`
 * @param available codes of the files in locales/: `pt`, `zh-tw`, `nl-be`
 * @returns a code of `available`, else `en`
 */
export function chooseLocale(preferred: readonly string[], available: readonly string[]): string {
  for (const tag of preferred) {
    const found = bestOf(tag, available)
    if (found) return found
  }
  return 'en'
}

function bestOf(tag: string, available: readonly string[]): string | undefined {
  const asked = read(tag)
  if (!asked) return undefined
  const spoken = available.map((code) => ({ code, ...read(code) })).filter(({ language }) => language === asked.language)
  // The script matters more than the region: readers of traditional characters prefer those of another region to simplified ones.
  const legible = spoken.filter(({ script }) => script === asked.script)
  const likely = legible.length > 0 ? legible : spoken
  const best =
    likely.find(({ region }) => region === asked.region) ?? likely.find(({ region }) => region === undefined) ?? likely[0]
  return best?.code
}

/** The region as given, and the likely script: zh-HK is written in Hant. @returns undefined for an invalid tag */
function read(tag: string): { language: string; region: string | undefined; script: string | undefined } | undefined {
  try {
    const locale = new Intl.Locale(tag)
    return { language: locale.language, region: locale.region, script: locale.maximize().script }
  } catch {
    return undefined
  }
}

/** The scripts of living languages that are written from right to left. */
const rightToLeft = /Adlm|Arab|Hebr|Nkoo|Syrc|Thaa/

/** The reading direction of a language. @param code a language tag, as of `locales/` */
export const directionOf = (code: string): 'ltr' | 'rtl' => (rightToLeft.test(read(code)?.script ?? '') ? 'rtl' : 'ltr')

/** @returns the language tags of an `Accept-Language` header, by preference, at most ten */
export function acceptedLanguages(header: string): string[] {
  const weighted = header
    .slice(0, 1000)
    .split(',', 10)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/)
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
  return weighted
    .filter(({ tag, weight }) => /^[\w-]+$/.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
