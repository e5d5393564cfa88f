// The files of the interface in memory, compressed by the build.

/** One file as the build packs it. Contents are base64. */
export type PackedFile = {
  /** The value of Content-Type. */
  type: string
  /** A strong validator of the raw bytes, in quotes. */
  etag: string
  raw: string
  /** Absent when compression does not make it smaller. */
  gzip?: string
  br?: string
}

/** All files as the build packs them. */
export type PackedAssets = {
  /** Name in the sources ('main.js', 'locales/en.json') → address below `static/`, which contains a hash of the contents. */
  names: Record<string, string>
  /** Addresses of scripts that the entry imports statically: the page preloads them. */
  preload: string[]
  files: Record<string, PackedFile>
}

/** A content coding of HTTP. */
export type Encoding = 'br' | 'gzip'

/** One answer: the bytes to send and their headers. Without `encoding` they are not compressed. */
export type Asset = Readonly<{ body: Buffer; type: string; etag: string; encoding?: Encoding }>

/** The files of the interface, decoded when they are first requested. */
export class Assets {
  readonly #packed: PackedAssets
  readonly #answers = new Map<string, Asset>()

  constructor(packed: PackedAssets) {
    this.#packed = packed
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

  /**
   * Finds a file in the best encoding that the client accepts.
   * @param address the part of the URL after `static/`
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

/** The files that the build put into this bundle. @throws when the server runs from its sources, where there is no bundle */
export async function bundledAssets(): Promise<Assets> {
  const { assets } = await import('holdall:assets')
  return new Assets(assets)
}

function unpack(file: PackedFile, encoding: Encoding | undefined): Asset {
  const body = Buffer.from(file[encoding ?? 'raw'] as string, 'base64')
  // A strong validator identifies one sequence of bytes, so each encoding has its own (RFC 9110, 8.8.3.3).
  const etag = encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag
  return { body, type: file.type, etag, ...(encoding && { encoding }) }
}

function bestEncoding(file: PackedFile, acceptEncoding: string): Encoding | undefined {
  const accepted = acceptedEncodings(acceptEncoding)
  return (['br', 'gzip'] as const).find((encoding) => file[encoding] !== undefined && accepted.has(encoding))
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
