// The names that senders give: of themselves, of their folder, of their files.

/** Characters. */
const longestName = 100
/** Bytes of the name of a folder. */
const longestFolder = 100

/**
 * What joins letters or parts of a pictograph, or keeps them apart. Between letters of scripts that have no use for it it would only make
 * two names look equal.
 */
const joiners =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** The name of a person as it is shown; undefined when nothing is left of it. */
export function personName(text: string): string | undefined {
  const kept = new Set([...text.matchAll(joiners)].map(({ index }) => index))
  const shown = text.replace(/\p{C}/gu, (character, index: number) => (kept.has(index) ? character : '')).trim()
  const characters = [...shown].slice(0, longestName).join('').trim()
  return characters === '' ? undefined : characters
}

/** The name of a folder that is made of the name of a person; undefined when nothing is left of it. */
export function folderName(person: string): string | undefined {
  const plain = person
    .normalize('NFC')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/\s+/gu, ' ')
  const whole = withoutEnds(plain)
  let name = ''
  for (const character of whole) {
    if (Buffer.byteLength(name + character) > longestFolder) break
    name += character
  }
  return withoutEnds(name) || undefined
}

const withoutEnds = (text: string) => text.replace(/^[. ]+|[. ]+$/g, '')

/** The name of a folder of somebody without a name: `2026-11-20 16.42` by the clock of this machine. */
export function momentName(now: number): string {
  const date = new Date(now)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}.${two(date.getMinutes())}`
}

/** The values of a header of tus, by their keys. */
export function metadataOf(header = ''): ReadonlyMap<string, string> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' ') as [string, string?])
  return new Map(pairs.map(([key, value = '']) => [key, Buffer.from(value, 'base64').toString()]))
}
