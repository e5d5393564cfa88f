// Rebuilds HTML from the tags and attributes that documents need. DOMPurify checks the result. Without this step browsers report a
// violation of the page's policy for each `onclick` and `<base>` that DOMPurify parses, although it removes them.

/** The elements of a document. */
export const documentTags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'a', 'img', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre'],
  ...['code', 'em', 'strong', 'b', 'i', 's', 'del', 'ins', 'u', 'sub', 'sup', 'mark', 'small', 'kbd', 'samp', 'var', 'abbr', 'q'],
  ...['cite', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption', 'figure', 'figcaption', 'details', 'summary'],
  ...['div', 'span', 'input'],
]

/** Their attributes. */
export const documentAttributes = [
  ...['href', 'src', 'alt', 'title', 'align', 'start', 'colspan', 'rowspan', 'scope', 'checked', 'type', 'dir', 'lang', 'open'],
]

const tags: ReadonlySet<string> = new Set(documentTags)
const attributes: ReadonlySet<string> = new Set(documentAttributes)

/** Leaves out comments, scripts and styles, all other tags and attributes, and escapes what remains of a `<`. */
export function plainHtml(html: string): string {
  const visible = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
  const tag = /<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi
  const parts: string[] = []
  let end = 0
  for (const match of visible.matchAll(tag)) {
    parts.push(escaped(visible.slice(end, match.index)), rebuilt(match))
    end = match.index + match[0].length
  }
  parts.push(escaped(visible.slice(end)))
  return parts.join('')
}

const escaped = (text: string): string => text.replaceAll('<', '&lt;')

function rebuilt([, slash = '', tag = '', rest = '']: RegExpMatchArray): string {
  const name = tag.toLowerCase()
  if (!tags.has(name)) return ''
  if (slash) return `</${name}>`
  const kept = [...rest.matchAll(/([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g)].flatMap(
    ([, attribute = '', double, single, bare]) => {
      const key = attribute.toLowerCase()
      const value = (double ?? single ?? bare ?? '').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
      return attributes.has(key) ? [` ${key}="${value}"`] : []
    },
  )
  return `<${name}${kept.join('')}>`
}
