// Splits a command line as the POSIX shell does, and does nothing else of what a shell does.

/**
 * The words of a command line. Single and double quotes and the backslash work as in the POSIX shell; variables, patterns and
 * operators such as `;` or `|` have no meaning and stay as they are.
 * @throws SyntaxError when a quote is not closed
 */
export function splitLine(line: string): string[] {
  return [...line.matchAll(wordPattern)].map(([word]) => wordOf(word))
}

/** Characters between quotes, after a backslash, or without spaces; a quote that is not closed matches to the end. */
const wordPattern = /(?:[^\s'"\\]|\\[\s\S]?|'[^']*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$))+/g

/** Parts of a word: quoted by ' or ", escaped, or plain. */
const partPattern = /'([^']*)('?)|"((?:[^"\\]|\\[\s\S])*)("?)|\\([\s\S]?)|[^'"\\]+/g

function wordOf(word: string): string {
  return word.replace(partPattern, (part, single, endOfSingle, double, endOfDouble, escaped) => {
    if (single !== undefined) return closed(single, endOfSingle)
    // Between double quotes a backslash is removed before these characters only.
    if (double !== undefined) return closed(double, endOfDouble).replace(/\\([$`"\\])|\\\n/g, '$1')
    return escaped ?? part
  })
}

function closed(text: string, end: string): string {
  if (end === '') throw new SyntaxError('a quote is not closed')
  return text
}
