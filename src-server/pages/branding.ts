import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { loadsSomething, styleSheetError } from '../settings/style-sheet.ts'
import type { Asset } from './assets.ts'
import { brandingTypes, folderStyleSheet, readBrandingFile } from './branding-files.ts'

type BrandingSettings = Readonly<{ files: string; css?: string; color?: string }>

type BrandingParts = Readonly<{
  /** The present settings. */
  settings(): Promise<BrandingSettings>
  clock: Clock
  /** Called when the style sheet in the folder is not used. */
  report(sentence: string): void
}>

/** What the page shows of the branding. */
export type Appearance = Readonly<{
  /** `#rrggbb`, or '' for the accent of the product. */
  color: string
  /** Whether there is a style sheet. */
  hasStyle: boolean
  /** Whether a file of the folder is there, by its address below `static/`. */
  has(address: string): boolean
}>

/** The address of the style sheet below `static/`. */
export const styleAddress = 'branding.css'

/** Milliseconds for which what was read of the folder is used: strangers can ask for it as often as they like. */
const readingSpan = 2000

/** Milliseconds that a page waits for the folder, whose file system may hang. */
const longestWait = 1000

type Files = ReadonlyMap<string, Asset>

/** Logo, icons and style sheet of the branding, as they are in the settings and in the branding folder. */
export class Branding {
  readonly #parts: BrandingParts
  #files: Files = new Map()
  #reading: Promise<Files> | undefined
  #of: BrandingSettings | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reported = ''

  constructor(parts: BrandingParts) {
    this.#parts = parts
  }

  /** A file by its address below `static/`. */
  async find(address: string): Promise<Asset | undefined> {
    const isKnown = address === styleAddress || Object.hasOwn(brandingTypes, address)
    return isKnown ? (await this.#present(await this.#parts.settings())).get(address) : undefined
  }

  /** What the page needs to know. */
  async appearance(): Promise<Appearance> {
    const settings = await this.#parts.settings()
    const files = await this.#present(settings)
    const { color = '' } = settings
    return { color, hasStyle: files.has(styleAddress), has: (address) => files.has(address) }
  }

  /** The files as they were at most two seconds ago. */
  async #present(settings: BrandingSettings): Promise<Files> {
    const isOther = settings.files !== this.#of?.files || settings.css !== this.#of.css
    if (isOther) this.#forget(settings)
    const isOld = this.#parts.clock.elapsed() - this.#readAt >= readingSpan
    if (isOld && !this.#reading) this.#begin(settings)
    return this.#reading ? withinWait(this.#reading, this.#files) : this.#files
  }

  #forget(settings: BrandingSettings) {
    this.#of = settings
    this.#files = new Map()
    this.#reading = undefined
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  #begin(settings: BrandingSettings) {
    const reading = this.#read(settings).then((files) => {
      // The settings may have changed meanwhile.
      if (this.#reading !== reading) return this.#files
      this.#files = files
      this.#reading = undefined
      this.#readAt = this.#parts.clock.elapsed()
      return files
    })
    this.#reading = reading
  }

  async #read({ files: folder, css = '' }: BrandingSettings): Promise<Files> {
    const found = new Map<string, Asset>()
    if (folder !== '') {
      for (const [address, type] of Object.entries(brandingTypes)) {
        const body = await readBrandingFile(folder, address)
        if (body) found.set(address, assetOf(body, type))
      }
    }
    const style = await this.#styleSheet(folder, css)
    if (style !== '') found.set(styleAddress, assetOf(Buffer.from(style), 'text/css; charset=utf-8'))
    return found
  }

  /** The style sheet of the folder, then that of the settings. */
  async #styleSheet(folder: string, css: string): Promise<string> {
    const inFolder = folder === '' ? undefined : await readBrandingFile(folder, folderStyleSheet)
    const text = inFolder?.toString() ?? ''
    const problem = styleSheetError(text)
    if (problem !== undefined)
      this.#warn(`The style sheet ${folderStyleSheet} in the branding folder is not used: it ${problem}.`)
    const joined = [problem === undefined ? text : '', css].filter((part) => part !== '').join('\n')
    // Both are harmless, but an escape at the end of the first could continue in the second.
    return loadsSomething(joined) ? css : joined
  }

  #warn(sentence: string) {
    if (sentence !== this.#reported) this.#parts.report(sentence)
    this.#reported = sentence
  }
}

function assetOf(body: Buffer, type: string): Asset {
  return { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

async function withinWait<T>(awaited: Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), longestWait)
  })
  try {
    return await Promise.race([awaited, late])
  } finally {
    clearTimeout(timer)
  }
}
