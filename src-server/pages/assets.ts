// The files of the interface in memory, compressed by the build.
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { type BundledFiles, bundledFiles } from '../base/bundled-files.ts'

/** A content coding of HTTP. */
export type Encoding = 'br' | 'gzip'

/** One file as the build packs it. */
export type PackedFile = Readonly<{
  /** The value of Content-Type. */
  type: string
  /** A strong validator of the raw bytes, in quotes. */
  etag: string
  /** Compressed with brotli when that makes it smaller. */
  body: Buffer
  encoding?: 'br'
}>

/** All files as the build packs them. */
export type PackedAssets = Readonly<{
  /** Name in the sources ('main.js', 'locales/en.json') → address below `static/`, which contains a hash of the contents. */
  names: Readonly<Record<string, string>>
  /** Addresses of scripts that the entry imports statically: the page preloads them. */
  preload: readonly string[]
  files: Readonly<Record<string, PackedFile>>
}>

/** One answer: the bytes to send and their headers. Without `encoding` they are not compressed. */
export type Asset = Readonly<{ body: Buffer; type: string; etag: string; encoding?: Encoding }>

/** Bytes of all forms that were made when they were asked for. All files as gzip have 2 MB. */
const largestMade = 4_000_000

/** The files of the interface. Of each one form is in memory, the others are made when a client asks for them, and kept for a while. */
export class Assets {
  readonly #packed: PackedAssets
  readonly #largestMade: number
  /** The form that was asked for last is the last one. */
  readonly #made = new Map<string, Promise<Buffer>>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  /** @param largest bytes of all forms that are made and kept */
  constructor(packed: PackedAssets, largest: number = largestMade) {
    this.#packed = packed
    this.#largestMade = largest
  }

  /** The address below `static/` of the file that the sources call `name`. @throws when the build did not make it */
  addressOf(name: string): string {
    const address = this.#packed.names[name]
    if (address === undefined) throw new Error(`the build made no ${name}`)
    return address
  }

  /** All names with their addresses. */
  get names(): Readonly<Record<string, string>> {
    return this.#packed.names
  }

  /** See `PackedAssets.preload`. */
  get preload(): readonly string[] {
    return this.#packed.preload
  }

  /** Bytes of the forms that were made and are kept. */
  get madeBytes(): number {
    return this.#bytes
  }

  /**
   * Finds a file in the best encoding that the client accepts.
   * @param address the part of the URL after `static/`
   * @param acceptEncoding the request's header
   * @returns undefined when there is no such file
   */
  async find(address: string, acceptEncoding = ''): Promise<Asset | undefined> {
    if (!Object.hasOwn(this.#packed.files, address)) return undefined
    const file = this.#packed.files[address] as PackedFile
    const encoding = bestEncoding(file, acceptEncoding)
    const body = encoding === file.encoding ? file.body : await this.#form(address, file, encoding)
    // A strong validator identifies one sequence of bytes, so each encoding has its own (RFC 9110, 8.8.3.3).
    const etag = encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag
    return { body, type: file.type, etag, ...(encoding && { encoding }) }
  }

  #form(address: string, file: PackedFile, encoding: Encoding | undefined): Promise<Buffer> {
    const key = `${encoding ?? 'raw'} ${address}`
    const form = this.#made.get(key) ?? this.#make(key, file, encoding)
    this.#made.delete(key)
    this.#made.set(key, form)
    return form
  }

  #make(key: string, file: PackedFile, encoding: Encoding | undefined): Promise<Buffer> {
    const form = makeForm(file, encoding)
    form.then(
      ({ length }) => this.#count(key, length),
      () => this.#made.delete(key),
    )
    return form
  }

  #count(key: string, length: number) {
    this.#sizes.set(key, length)
    this.#bytes += length
    for (const oldest of this.#made.keys()) {
      if (this.#bytes <= this.#largestMade) return
      this.#drop(oldest)
    }
  }

  #drop(key: string) {
    const length = this.#sizes.get(key)
    // One that is still being made is counted when it is.
    if (length === undefined) return
    this.#made.delete(key)
    this.#sizes.delete(key)
    this.#bytes -= length
  }
}

/** The files that the build put beside this bundle. @throws when the server runs from its sources, where there is no bundle */
export function bundledAssets(): Assets {
  const files = bundledFiles()
  if (files === undefined) throw new Error('the interface is built with the bundle, which this server does not run from')
  return new Assets(unpackAssets(files))
}

/** The name of the index, and the folder of the contents, among the bundled files. */
const indexName = 'interface.json'
const contentsFolder = 'interface/'

type Index = Omit<PackedAssets, 'files'> & Readonly<{ files: Readonly<Record<string, Omit<PackedFile, 'body'>>> }>

/** The interface as bundled files. */
export function packAssets({ names, preload, files }: PackedAssets): (readonly [name: string, contents: Uint8Array])[] {
  const described = Object.entries(files).map(([address, { body: _, ...file }]) => [address, file] as const)
  const index: Index = { names, preload, files: Object.fromEntries(described) }
  const contents = Object.entries(files).map(([address, { body }]) => [`${contentsFolder}${address}`, body] as const)
  return [[indexName, Buffer.from(JSON.stringify(index))], ...contents]
}

/** Reads what `packAssets` made. */
export function unpackAssets(bundled: BundledFiles): PackedAssets {
  const { names, preload, files } = JSON.parse(bundled.bytes(indexName).toString()) as Index
  const whole = Object.entries(files).map(([address, file]) => {
    return [address, { ...file, body: bundled.bytes(`${contentsFolder}${address}`) }] as const
  })
  return { names, preload, files: Object.fromEntries(whole) }
}

async function makeForm({ body }: PackedFile, encoding: Encoding | undefined): Promise<Buffer> {
  const raw = await promisify(brotliDecompress)(body)
  return encoding === 'gzip' ? promisify(gzip)(raw, { level: 9 }) : raw
}

function bestEncoding(file: PackedFile, acceptEncoding: string): Encoding | undefined {
  // A file that no compression makes smaller is sent as it is.
  if (file.encoding === undefined) return undefined
  const accepted = acceptedEncodings(acceptEncoding)
  return (['br', 'gzip'] as const).find((encoding) => accepted.has(encoding))
}

/** The codings of an Accept-Encoding header with a weight above zero. '*' is ignored: clients that support br name it. */
function acceptedEncodings(header: string): Set<string> {
  const codings = header.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q\s*=\s*/),
  )
  return new Set(codings.filter(([, weight]) => weight === undefined || Number(weight) > 0).map(([coding = '']) => coding))
}
