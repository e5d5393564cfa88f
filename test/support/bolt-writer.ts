// BoltDB files made page by page, with page sizes, overflow, levels and deleted records that no fixture has.
import { fnv64 } from '../../src-server/import/bolt-meta.ts'

/** A bucket: keys with values or buckets, in any order. */
export type BoltContent = readonly (readonly [key: string | Buffer, value: string | Buffer | { readonly bucket: BoltContent }])[]

type WriteOptions = Readonly<{
  pageSize?: number
  /** Of a page at most, so that there are branch pages. */
  entriesOfPage?: number
  /** Buckets without buckets lie in their value. */
  isInline?: boolean
  /** Content of pages that are free: what was deleted. */
  deleted?: BoltContent
  /** No list of free pages. */
  listsFree?: boolean
}>

/** What the bytes of a page are, which a test may change before they are written. */
type Element = Readonly<{ key: Buffer; value: Buffer; isBucket: boolean }>
type Child = Readonly<{ key: Buffer; page: number }>

export function boltOf(content: BoltContent, options: WriteOptions = {}): Buffer {
  const { pageSize = 4096, deleted = [], listsFree = true } = options
  const writer = new Writer(options)
  const stale = deleted.length > 0 ? [writer.tree(deleted)] : []
  const root = writer.tree(content)
  const freelist = listsFree ? writer.freelist(stale) : undefined
  return Buffer.concat([
    metaPage({ pageSize, root, freelist, end: writer.end, transaction: 6 }, 0),
    metaPage({ pageSize, root, freelist, end: writer.end, transaction: 7 }, 1),
    ...writer.pages,
  ])
}

type Meta = { pageSize: number; root: number; freelist: number | undefined; end: number; transaction: number }

/** A whole page. @param number 0 or 1 */
export function metaPage({ pageSize, root, freelist, end, transaction }: Meta, number: number): Buffer {
  const page = Buffer.alloc(pageSize)
  page.writeUInt32LE(number, 0)
  page.writeUInt16LE(4, 8)
  const meta = page.subarray(16, 80)
  meta.writeUInt32LE(0xed0cdaed, 0)
  meta.writeUInt32LE(2, 4)
  meta.writeUInt32LE(pageSize, 8)
  meta.writeBigUInt64LE(BigInt(root), 16)
  meta.writeBigUInt64LE(freelist === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(freelist), 32)
  meta.writeBigUInt64LE(BigInt(end), 40)
  meta.writeBigUInt64LE(BigInt(transaction), 48)
  sealMeta(page)
  return page
}

/** Writes the checksum of a meta page that was changed. */
export function sealMeta(page: Buffer): void {
  page.writeBigUInt64LE(fnv64(page.subarray(16, 72)), 72)
}

class Writer {
  readonly pages: Buffer[] = []
  end = 2
  readonly #options: WriteOptions

  constructor(options: WriteOptions) {
    this.#options = options
  }

  get #pageSize() {
    return this.#options.pageSize ?? 4096
  }

  /** @returns the number of its root page */
  tree(content: BoltContent): number {
    const elements = content
      .map(([key, value]) => this.#element(Buffer.from(key as Buffer), value))
      .toSorted((one, other) => Buffer.compare(one.key, other.key))
    const leaves = this.#split(elements, ({ key, value }) => key.length + value.length).map((part) => ({
      key: part[0]?.key ?? Buffer.alloc(0),
      page: this.#add(2, leafBytes(part), part.length),
    }))
    return this.#rootOf(leaves)
  }

  freelist(pages: readonly number[]): number {
    const bytes = Buffer.alloc(pages.length * 8)
    for (const [index, page] of pages.entries()) bytes.writeBigUInt64LE(BigInt(page), index * 8)
    return this.#add(16, bytes, pages.length)
  }

  #rootOf(children: readonly Child[]): number {
    const [only, ...others] = children
    if (only !== undefined && others.length === 0) return only.page
    const parts = this.#split(children, ({ key }) => key.length)
    return this.#rootOf(
      parts.map((part) => ({ key: part[0]?.key ?? Buffer.alloc(0), page: this.#add(1, branchBytes(part), part.length) })),
    )
  }

  #element(key: Buffer, value: BoltContent[number][1]): Element {
    if (typeof value === 'string' || Buffer.isBuffer(value)) return { key, value: Buffer.from(value as Buffer), isBucket: false }
    return { key, value: this.#bucket(value.bucket), isBucket: true }
  }

  #bucket(content: BoltContent): Buffer {
    const header = Buffer.alloc(16)
    const isPlain = content.every(([, value]) => typeof value === 'string' || Buffer.isBuffer(value))
    if (this.#options.isInline !== false && isPlain) {
      const elements = content
        .map(([key, value]) => this.#element(Buffer.from(key as Buffer), value))
        .toSorted((one, other) => Buffer.compare(one.key, other.key))
      const page = Buffer.concat([pageHeader({ number: 0, kind: 2, count: elements.length, overflow: 0 }), leafBytes(elements)])
      if (page.length < this.#pageSize / 4) return Buffer.concat([header, page])
    }
    header.writeBigUInt64LE(BigInt(this.tree(content)), 0)
    return header
  }

  #split<T>(all: readonly T[], lengthOf: (one: T) => number): T[][] {
    const { entriesOfPage = Number.POSITIVE_INFINITY } = this.#options
    const parts: T[][] = [[]]
    let length = 16
    for (const one of all) {
      const part = parts.at(-1) as T[]
      const own = 16 + lengthOf(one)
      // Of children at least two, so that each level is shorter.
      const isFull = part.length >= 2 && (part.length >= entriesOfPage || length + own > this.#pageSize)
      if (isFull) {
        parts.push([one])
        length = 16 + own
      } else {
        part.push(one)
        length += own
      }
    }
    return parts
  }

  #add(kind: number, body: Buffer, count: number): number {
    const number = this.end
    const used = Math.ceil((16 + body.length) / this.#pageSize)
    const page = Buffer.alloc(used * this.#pageSize)
    pageHeader({ number, kind, count, overflow: used - 1 }).copy(page)
    body.copy(page, 16)
    this.pages.push(page)
    this.end += used
    return number
  }
}

function pageHeader({
  number,
  kind,
  count,
  overflow,
}: {
  number: number
  kind: number
  count: number
  overflow: number
}): Buffer {
  const header = Buffer.alloc(16)
  header.writeBigUInt64LE(BigInt(number), 0)
  header.writeUInt16LE(kind, 8)
  header.writeUInt16LE(count, 10)
  header.writeUInt32LE(overflow, 12)
  return header
}

function leafBytes(elements: readonly Element[]): Buffer {
  let at = elements.length * 16
  const heads = elements.map(({ key, value, isBucket }, index) => {
    const head = Buffer.alloc(16)
    head.writeUInt32LE(isBucket ? 1 : 0, 0)
    head.writeUInt32LE(at - index * 16, 4)
    head.writeUInt32LE(key.length, 8)
    head.writeUInt32LE(value.length, 12)
    at += key.length + value.length
    return head
  })
  return Buffer.concat([...heads, ...elements.flatMap(({ key, value }) => [key, value])])
}

function branchBytes(children: readonly Child[]): Buffer {
  let at = children.length * 16
  const heads = children.map(({ key, page }, index) => {
    const head = Buffer.alloc(16)
    head.writeUInt32LE(at - index * 16, 0)
    head.writeUInt32LE(key.length, 4)
    head.writeBigUInt64LE(BigInt(page), 8)
    at += key.length
    return head
  })
  return Buffer.concat([...heads, ...children.map(({ key }) => key)])
}
