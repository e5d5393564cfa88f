// Measures the texts of a page. Bundled, and given to each page as `clipping`.
import { intlCode } from '../../src-ui/i18n/intl.ts'
import { content, selectorOf } from './exempt.ts'
import { type Finding, findCuts, findSideways, nameOf } from './find-cuts.ts'
import { findDirections } from './find-directions.ts'
import { findCutFields } from './find-fields.ts'
import { visibleTexts } from './visible-texts.ts'

/** A finding without its element, so that it can leave the page. */
export type Measured = { kind: Finding['kind']; where: string; text: string; detail: string }

export type Measurement = {
  findings: Measured[]
  /** The texts of the interface: each text, and each paragraph whole. */
  words: string[]
}

const isContent = selectorOf(content)

export function measure(): Measurement {
  const texts = visibleTexts(document.body)
  const found = [...findCuts(texts), ...findSideways(), ...findCutFields(), ...findDirections()]
  const own = texts.filter(({ element }) => !element.closest(isContent))
  const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.getAttribute('placeholder') ?? '')
  return {
    findings: found.map(({ element, kind, text, detail }) => ({
      kind,
      where: nameOf(element),
      text: text.slice(0, 120),
      detail,
    })),
    words: [...new Set([...own.flatMap(({ element, text }) => [text, textOf(element)]), ...fields])].filter(Boolean),
  }
}

/** The text with isolates around the content in it, which has a direction of its own. */
function textOf(element: Element): string {
  const parts = [...element.childNodes].map((node) => {
    const text = node.textContent ?? ''
    return node instanceof Element && node.matches(isContent) ? `\u2068${text}\u2069` : text
  })
  return parts.join('').replace(/\s+/g, ' ').trim().slice(0, 400)
}

/** Measures with other texts: the page keeps what it has said before its language changed, such as an error. */
export function measureWith(texts: Readonly<Record<string, string>>): Measurement {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const replaced: [Node, string][] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = texts[(node.textContent ?? '').replace(/\s+/g, ' ').trim()]
    if (text === undefined) continue
    replaced.push([node, node.textContent ?? ''])
    node.textContent = text
  }
  try {
    return measure()
  } finally {
    for (const [node, text] of replaced) node.textContent = text
  }
}

/** Puts the page into another language, as when the browser's language is changed, and waits until it is drawn. */
export async function speak(code: string): Promise<void> {
  Object.defineProperty(navigator, 'languages', { configurable: true, get: () => [intlCode(code)] })
  dispatchEvent(new Event('languagechange'))
  const wanted = new Intl.Locale(intlCode(code)).toString()
  // 30 seconds at least: the texts are loaded, and the machine may be busy.
  for (let frame = 0; document.documentElement.lang !== wanted; frame++) {
    if (frame > 1800) throw new Error(`the page stays in ${document.documentElement.lang} instead of ${wanted}`)
    await nextFrame()
  }
  await document.fonts.ready
  await nextFrame()
  await nextFrame()
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done))
