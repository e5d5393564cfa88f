// Finds references of an SVG to anything outside of it. The renderer follows none of them, so that such a picture would be shown
// without its parts: it is refused instead.

/** An address that is not inside the picture: neither a fragment nor data. */
const outside = String.raw`(?!\s*(?:#|data:))\s*[^\s"']`

const references: readonly RegExp[] = [
  // Of any element except links, which load nothing until somebody follows them.
  new RegExp(String.raw`<(?!a[\s>])[a-z][^<>]*?\s(?:[a-z]+:)?(?:href|src)\s*=\s*["']${outside}`, 'i'),
  new RegExp(String.raw`url\(\s*["']?${outside}`, 'i'),
  /@import/i,
  /<\?xml-stylesheet/i,
  // Entities could hide a reference, and can expand to gigabytes.
  /<!ENTITY/i,
  /<(?:[a-z]+:)?(?:include|foreignObject|script|iframe)[\s>]/i,
]

/** @param picture an SVG in any encoding that the renderer reads */
export function refersOutside(picture: Uint8Array): boolean {
  const text = textOf(picture)
  return references.some((reference) => reference.test(text))
}

/** UTF-16 is known by its byte-order mark or by the NUL of its first character. */
function textOf(picture: Uint8Array): string {
  const [first, second] = picture
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(picture)
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(picture)
  return new TextDecoder('utf-8').decode(picture)
}
