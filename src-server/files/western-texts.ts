// Tells texts of Western Europe from those of Central Europe. Windows-1252 and ISO-8859-1 on one side, Windows-1250 and ISO-8859-2 on the
// other have other letters for the same bytes. The frequencies of letters, by which encodings are guessed, say nothing of a short text;
// what stands beside such a letter in its word does.

/** What a text in Windows-1252 is unlikely to have, and what it is likely to have, with the weight of each. */
type Sign = readonly [weight: number, found: RegExp]

const [vowel, consonant] = ['[aeiouyáéíóúýäëöüâêô]', '[bcçdfghjklmnpqrstvwxzß]']

/** In small letters. What is likely counts above zero. */
const signs: readonly Sign[] = [
  // Symbols in the place of letters: ą ł ľ ś š ş ť ź ž ż.
  [-3, /\p{L}[±³µ¶¹º¼¾¿»]\p{L}/gu],
  [-1, /(?<!m)(?<=\p{L})[±³µ¶¹¼¾¿](?!\p{L})/gu],
  [-2, /(?<![\p{L}\d])[£¯¶³¼¾¹ºª]\p{L}/gu],
  [-1, /(?<![\p{L}\d])[¥©®±]\p{L}/gu],
  [-1, /[šž]/gu],
  [-2, /(?<=\p{L})ÿ/gu],
  // A question in Spanish has a mark at either end.
  [3, /¿[^¿?]{1,200}\?/gu],
  [3, /¡[^¡!]{1,200}!/gu],
  // å and ĺ, à and ŕ: the others are rare.
  [2, /å/gu],
  [1, /à/gu],
  [2, /(?<!\p{L})à(?!\p{L})/gu],
  // ñ and ń.
  [2, /ñ(?=[aeiouáéíóúü])/gu],
  [-2, /ñ(?![aeiouáéíóúü])/gu],
  // ã õ and ă ő.
  [2, /[ãõ](?=[eo])/gu],
  [-1, new RegExp(`ã(?!s(?!\\p{L}))(?=${consonant})`, 'gu')],
  [-1, /õ(?!e)/gu],
  // è and č.
  [-2, /è(?=[aeiouyáéíóúýìùk])/gu],
  [-1, new RegExp(`(?:[aeyáéíý]|(?<![gq])u)è(?=${consonant})`, 'gu')],
  [1, new RegExp(`è(?!k)(?=${consonant})`, 'gu')],
  [2, /(?<!\p{L})è(?!\p{L})|(?<=qu)è/gu],
  // ê and ę. In Portuguese it ends a few words: você, bebê, crochê, vê, lê, dê, crê.
  [-1, /(?<=i)ê(?!n)|(?<!oc|eb|och|(?<!\p{L})(?:[vld]|[cp]r))ê(?!\p{L})|ê(?=[bdgkz])/gu],
  [1, /(?<!i)ê(?=[cmnqrstv])/gu],
  // æ and ć, ø and ř.
  [-2, new RegExp(`(?<=${vowel})æ`, 'gu')],
  [1, new RegExp(`(?<!${vowel})æ(?=\\p{L})`, 'gu')],
  [-2, /ø(?=[aiouáéíóúìù])/gu],
  [-1, new RegExp(`(?<=${vowel})ø`, 'gu')],
  [1, new RegExp(`(?<!${vowel})ø(?=${consonant})`, 'gu')],
  // ì ù ò and ě ů ň: in Italian they end a word.
  [-2, /[ìù](?=\p{L})/gu],
  [1, /(?<=[iou])[ùò](?!\p{L})|(?<=[cdnrst])ì(?!\p{L})/gu],
  [1, new RegExp(`(?<=${consonant})ò(?!\\p{L})`, 'gu')],
  [-1, new RegExp(`(?<=[aeouyáéíóúý])ò(?!\\p{L})|(?<=${consonant})ù(?!\\p{L})`, 'gu')],
  // ï and ď, û and ű.
  [2, /(?<=[aeouéá])ï/gu],
  [-1, /(?<![aeouéá])ï/gu],
  [2, /(?<=o)û/gu],
  [-1, /û(?=[aeiouknjz])|û(?!\p{L})/gu],
  // þ and ţ.
  [2, /(?<!\p{L})þ/gu],
  [-2, /(?<=[aãâeinoucp])þ(?=[iîaãâeu]|(?!\p{L}))/gu],
  // œ and ś.
  [2, /œ(?=[tu])/gu],
  [-1, /œ(?![tu])/gu],
]

/** @param text as read in Windows-1252 @returns above zero for one of Western Europe, below for one of Central Europe */
export function westernness(text: string): number {
  const small = text.toLowerCase()
  return signs.reduce((sum, [weight, found]) => sum + weight * (small.match(found)?.length ?? 0), 0)
}
