// The interface as files in memory: compressed once, by the build, and served from there.

/** One file as the build packs it; contents are base64. */
export type PackedFile = {
  /** The value of Content-Type. */
  type: string
  /** A strong validator of the raw bytes, with its quotes. */
  etag: string
  raw: string
  /** Absent when the compressed form is no smaller. */
  gzip?: string
  br?: string
}

export type PackedAssets = {
  /** What the sources call a file ('main.js', 'locales/en.json') → its address below `static/`, which holds a hash of its contents. */
  names: Record<string, string>
  /** Scripts that the entry imports at once: worth asking for before it is read. */
  preload: string[]
  files: Record<string, PackedFile>
}

export type Encoding = 'br' | 'gzip'

/** One answer: the bytes to send and what to say about them. `encoding` absent: as they are. */
export type Asset = Readonly<{ body: Buffer; type: string; etag: string; encoding?: Encoding }>

export class Assets {
  readonly #packed: PackedAssets
  readonly #answers = new Map<string, Asset>()

  constructor(packed: PackedAssets) {
    this.#packed = packed
  }

  /** The address below `static/` of what the sources call `name`. @throws when the build did not make it */
  addressOf(name: string): string {
    const address = this.#packed.names[name]
    if (address === undefined) throw new Error(`the build made no ${name}`)
    return address
  }

  /** Every name with its address, in no order. */
  get names(): Readonly<Record<string, string>> {
    return this.#packed.names
  }

  get preload(): readonly string[] {
    return this.#packed.preload
  }

  /**
   * @param address what follows `static/` in the URL
   * @param acceptEncoding the request's header
   * @returns undefined when there is no such file
   */
  find(address: string, acceptEncoding = ''): Asset | undefined {
    if (!Object.hasOwn(this.#packed.files, address)) return undefined
    const file = this.#packed.files[address] as PackedFile
    const encoding = bestEncoding(file, acceptEncoding)
    const key = `${encoding ?? 'raw'} ${address}`
    const known = this.#answers.get(key)
    if (known) return known
    const made = unpack(file, encoding)
    this.#answers.set(key, made)
    return made
  }
}

/** What the build put into this bundle. @throws when the server runs from its sources: give it an `Assets` of its own there */
export async function bundledAssets(): Promise<Assets> {
  const { assets } = await import('holdall:assets')
  return new Assets(assets)
}

function unpack(file: PackedFile, encoding: Encoding | undefined): Asset {
  const body = Buffer.from(file[encoding ?? 'raw'] as string, 'base64')
  // A strong validator names one sequence of bytes, so each encoding has its own (RFC 9110, 8.8.3.3).
  const etag = encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag
  return { body, type: file.type, etag, ...(encoding && { encoding }) }
}

function bestEncoding(file: PackedFile, acceptEncoding: string): Encoding | undefined {
  const accepted = acceptedEncodings(acceptEncoding)
  return (['br', 'gzip'] as const).find((encoding) => file[encoding] !== undefined && accepted.has(encoding))
}

/** The codings that a header names with a weight above zero. '*' is left out: whoever means br says so. */
function acceptedEncodings(header: string): Set<string> {
  const codings = header.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q\s*=\s*/),
  )
  return new Set(codings.filter(([, weight]) => weight === undefined || Number(weight) > 0).map(([coding = '']) => coding))
}
