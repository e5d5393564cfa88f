// Folds texts so that those which differ only in case and accents become equal.

const ascii = /^[\0-\x7f]*$/

// Only marks that are written above and below letters of several scripts, and the vowel points of Arabic and Hebrew. In the scripts of
// India and of Thailand vowels are marks too, and leaving those out would make different words equal.
const accents = /(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]|\u0640/gu

/** Letters that Unicode does not decompose. */
const plain: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  // A final sigma: `toLowerCase` makes one from the last capital of a word.
  ς: 'σ',
}
const undecomposed = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu')

/** Without case and accents, by rules that are the same in every language. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  // Also by capitals, so that ß is ss, and a dotless i is an i.
  const folded = text.normalize('NFKD').replace(accents, '').toUpperCase().toLowerCase()
  return folded
    .normalize('NFKD')
    .replace(accents, '')
    .replace(undecomposed, (letter) => plain[letter] ?? letter)
}

/** Only in the form that Unicode calls composed: names on a disk may be in either. */
export function compose(text: string): string {
  return ascii.test(text) ? text : text.normalize('NFC')
}

/** Made at its first use: its rules take a fifteenth of a start to load. */
let letters: Intl.Segmenter | undefined

/**
 * Finds a folded word in a text.
 * @returns where the letters of the text begin and end whose folded form holds the word; undefined when it does not occur
 */
export function placeOf(word: string, text: string, folding: (text: string) => string): readonly [number, number] | undefined {
  const found = folding(text).indexOf(word)
  if (found < 0) return undefined
  if (ascii.test(text)) return [found, found + word.length]
  letters ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let at = 0
  let begin: number | undefined
  for (const { segment, index } of letters.segment(text)) {
    const end = at + folding(segment).length
    if (begin === undefined && end > found) begin = index
    if (begin !== undefined && end >= found + word.length) return [begin, index + segment.length]
    at = end
  }
  return begin === undefined ? undefined : [begin, text.length]
}
