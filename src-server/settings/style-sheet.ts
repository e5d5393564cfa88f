/** UTF-8 bytes of a style sheet. */
const largest = 256 * 1024

/** What loads something from an address that is not in `url()`. */
const loading = /@import|\b(?:image-set|src)\(/i
const embedded = /^url\(\s{0,8}["']?\s{0,8}data:/i

/**
 * Style sheets may load nothing: a page of administrators must not tell others who opens it.
 * @returns why a style sheet is refused, or undefined
 */
export function styleSheetError(css: string): string | undefined {
  if (Buffer.byteLength(css) > largest) return 'must have at most 256 KiB'
  return loadsSomething(css) ? 'must not have @import, image-set() or src(), and url() only with data:' : undefined
}

/** Whether a style sheet loads something from an address. */
export function loadsSomething(css: string): boolean {
  const text = unescaped(css)
  return loading.test(text) || [...text.matchAll(/\burl\(/gi)].some(({ index }) => !isEmbedded(text, index))
}

function isEmbedded(text: string, index: number) {
  return embedded.test(text.slice(index, index + 32))
}

/** Names may be written with escapes, such as `\75rl(`. */
function unescaped(css: string): string {
  return css.replace(/\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(\r\n|[\s\S]))/gi, (_, hex: string | undefined, other: string) =>
    hex === undefined ? other : codePoint(Number.parseInt(hex, 16)),
  )
}

function codePoint(code: number) {
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}
