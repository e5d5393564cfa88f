/**
 * The language, of those that there are words for, that suits a reader best.
 * @param preferred language tags as a browser or an account names them, the dearest first: `pt-PT`, `zh-Hant-TW`, `nl`
 * @param available codes as locales/ names them: `pt`, `zh-tw`, `nl-be`
 * @returns a code of `there`, else `en`
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
  // Who reads traditional characters would rather have those of another region than simplified ones.
  const legible = spoken.filter(({ script }) => script === asked.script)
  const likely = legible.length > 0 ? legible : spoken
  const best =
    likely.find(({ region }) => region === asked.region) ?? likely.find(({ region }) => region === undefined) ?? likely[0]
  return best?.code
}

/** The region as it was written; the script as it follows from the rest: zh-HK is written in Hant. */
function read(tag: string): { language: string; region: string | undefined; script: string | undefined } | undefined {
  try {
    const locale = new Intl.Locale(tag)
    return { language: locale.language, region: locale.region, script: locale.maximize().script }
  } catch {
    return undefined
  }
}
