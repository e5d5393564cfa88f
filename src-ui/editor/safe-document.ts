// Makes a document of HTML from a file, without anything that acts or that is loaded from elsewhere.
import DOMPurify from 'dompurify'
import { decodePath, pageOf, rawAddress } from '../api/addresses.ts'
import { parentOf } from '../core/paths.ts'
import { documentAttributes, documentTags } from './plain-html.ts'

/** A heading of a document. */
export type Heading = { id: string; text: string; level: number }
export type SafeDocument = { content: DocumentFragment; headings: readonly Heading[] }

/** @param path of the file: links and pictures are relative to its folder */
export function safeDocument(html: string, path: string): SafeDocument {
  const content = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: documentTags,
    ALLOWED_ATTR: documentAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const input of content.querySelectorAll('input')) replaceCheckbox(input)
  for (const picture of content.querySelectorAll('img')) confinePicture(picture, path)
  for (const link of content.querySelectorAll('a')) confineLink(link, path)
  for (const table of content.querySelectorAll('table')) wrapTable(table)
  return { content, headings: nameHeadings(content) }
}

/** A task of a list can be read, and not ticked. */
function replaceCheckbox(input: HTMLInputElement): void {
  if (input.type !== 'checkbox') {
    input.remove()
    return
  }
  const mark = document.createElement('span')
  mark.className = 'task-mark'
  mark.role = 'img'
  mark.ariaLabel = input.checked ? '☑' : '☐'
  mark.textContent = input.checked ? '☑' : '☐'
  input.closest('li')?.classList.add('task')
  input.replaceWith(mark)
}

/** Pictures come from the person's files: one from elsewhere would tell its server who reads the document, and when. */
function confinePicture(picture: HTMLImageElement, path: string): void {
  const target = targetOf(picture.getAttribute('src') ?? '', path)
  if (target) {
    picture.src = rawAddress(target.path, { inline: true })
    picture.loading = 'lazy'
    if (!picture.hasAttribute('alt')) picture.alt = ''
    return
  }
  const note = document.createElement('span')
  note.className = 'missing-picture'
  note.textContent = picture.alt || picture.getAttribute('src') || ''
  picture.replaceWith(note)
}

function confineLink(link: HTMLAnchorElement, path: string): void {
  const href = link.getAttribute('href') ?? ''
  if (href.startsWith('#')) return
  if (/^(https?:|mailto:)/i.test(href)) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
    return
  }
  const target = targetOf(href, path)
  if (target) link.href = pageOf(target.path, target.isDir)
  else link.removeAttribute('href')
}

/** The file that a relative address means; undefined for one with a scheme, with a host, or outside the person's files. */
function targetOf(address: string, path: string): { path: string; isDir: boolean } | undefined {
  const [plain = ''] = address.split(/[?#]/)
  if (plain === '' || /^[\\/]{2}|^[a-z][a-z0-9+.-]*:|\\/i.test(plain)) return undefined
  const from = plain.startsWith('/') ? '' : parentOf(path)
  const names: string[] = []
  for (const name of `${from}/${decodePath(plain)}`.split('/')) {
    if (name === '..' && names.pop() === undefined) return undefined
    if (name !== '' && name !== '.' && name !== '..') names.push(name)
  }
  return { path: `/${names.join('/')}`, isDir: plain.endsWith('/') }
}

function wrapTable(table: HTMLTableElement): void {
  const place = document.createElement('div')
  place.className = 'prose-table'
  place.tabIndex = 0
  place.role = 'region'
  place.ariaLabel = table.caption?.textContent ?? table.rows[0]?.cells[0]?.textContent ?? ''
  table.replaceWith(place)
  place.append(table)
}

/** The name of the file is the first heading of the page, so those of the document are one level lower. */
function nameHeadings(content: DocumentFragment): Heading[] {
  const used = new Set<string>()
  return [...content.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')].map((old) => {
    const level = Math.min(6, Number(old.tagName[1]) + 1)
    const heading = document.createElement(`h${level}`)
    heading.append(...old.childNodes)
    const text = heading.textContent ?? ''
    heading.id = headingId(freeSlug(text, used))
    heading.tabIndex = -1
    old.replaceWith(heading)
    return { id: heading.id, text, level }
  })
}

/** The id of a heading that a link of the document names. The prefix keeps it apart from the ids of the page. */
export const headingId = (slug: string): string => `document-${slug}`

/** As in other readers of Markdown: `before-the-last-frost`, and `-1` for the second of a name. */
function freeSlug(text: string, used: Set<string>): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  let free = slug
  for (let number = 1; used.has(free); number++) free = `${slug}-${number}`
  used.add(free)
  return free
}
