// Reads the buckets of a BoltDB file, page by page. Whatever the file says is checked before it is followed: a page is visited once,
// keys only grow, and all of it has bounds in time and memory.
import { type BoltMeta, pageHeader, pageNumber, readMeta } from './bolt-meta.ts'
import { bytesIn, type SourceBytes, SourceFault } from './source-file.ts'

/** A key of a bucket: with a value, or with a bucket in it. */
export type BoltEntry = Readonly<{
  key: Buffer
  /** The value. It is read only now. @throws SourceFault */
  value(): Buffer
  /** Undefined when the key has a value. @throws SourceFault */
  bucket(): BoltBucket | undefined
}>

/** @throws SourceFault while it is read */
export type BoltBucket = Readonly<{ entries(): Iterable<BoltEntry> }>

const elementLength = 16
const bucketHeader = 16
const branchFlag = 1
const leafFlag = 2
const freelistFlag = 16
const isBucketFlag = 1

/** Far more than a database of File Browser has, so that one that was made to keep the server busy ends soon. Lengths are in bytes. */
const usualLimits = { entries: 100_000, content: 8 << 20, keyLength: 32_768, depth: 40, freePages: 1 << 16 }

/** A BoltDB file in its last whole state. */
export class BoltFile implements BoltBucket {
  readonly meta: BoltMeta
  readonly #bytes: SourceBytes
  readonly #limits: typeof usualLimits
  readonly #free: ReadonlySet<number>
  #entries = 0
  #length = 0

  /** @throws SourceFault for a file of another kind, and for a damaged one */
  constructor(bytes: SourceBytes, limits: Partial<typeof usualLimits> = {}) {
    this.#bytes = bytes
    this.#limits = { ...usualLimits, ...limits }
    this.meta = readMeta(bytes)
    this.#free = this.#freePages()
  }

  /** Those of the root bucket. */
  entries(): Iterable<BoltEntry> {
    return this.#tree(this.meta.root)
  }

  #tree(root: number): Iterable<BoltEntry> {
    return inOrder(this.#below(root, new Set(), 0))
  }

  *#below(number: number, visited: Set<number>, depth: number): Generator<BoltEntry> {
    if (visited.has(number)) throw damaged(`page ${number} is part of itself, or is used twice`)
    if (depth > this.#limits.depth) throw damaged('its pages are nested too deep')
    visited.add(number)
    const page = this.#page(number)
    if (page.isLeaf) yield* this.#leaf(page, false)
    else
      for (const { key, child } of this.#branch(page)) {
        let isFirst = true
        for (const entry of this.#below(child, visited, depth + 1)) {
          if (isFirst && Buffer.compare(entry.key, key) < 0) throw outOfOrder()
          isFirst = false
          yield entry
        }
      }
  }

  *#branch(page: Page): Generator<{ key: Buffer; child: number }> {
    for (let index = 0; index < page.count; index++) {
      const at = this.#element(page, index)
      const element = page.read(at, elementLength)
      const key = this.#key(page, at + element.readUInt32LE(0), element.readUInt32LE(4))
      yield { key, child: pageNumber(element.readBigUInt64LE(8)) }
    }
  }

  *#leaf(page: Page, isInline: boolean): Generator<BoltEntry> {
    for (let index = 0; index < page.count; index++) {
      const at = this.#element(page, index)
      const element = page.read(at, elementLength)
      const begin = at + element.readUInt32LE(4)
      const keyLength = element.readUInt32LE(8)
      const key = this.#key(page, begin, keyLength)
      const isBucket = (element.readUInt32LE(0) & isBucketFlag) !== 0
      if (isBucket && isInline) throw damaged('a bucket within a page has buckets itself')
      const value = () => this.#read(page, begin + keyLength, element.readUInt32LE(12))
      yield { key, value, bucket: () => (isBucket ? this.#bucket(value()) : undefined) }
    }
  }

  #bucket(value: Buffer): BoltBucket {
    if (value.length < bucketHeader) throw damaged('the header of a bucket is too short')
    const root = pageNumber(value.readBigUInt64LE(0))
    if (root !== 0) return { entries: () => this.#tree(root) }
    const inline = value.subarray(bucketHeader)
    if (inline.length < pageHeader) throw damaged('the page of a bucket is too short')
    const page = pageOf(bytesIn(inline), inline.length)
    if (!page.isLeaf) throw damaged('the page of a bucket is of another kind')
    return { entries: () => inOrder(this.#leaf(page, true)) }
  }

  #page(number: number): Page {
    const { pageSize, end } = this.meta
    // Pages 0 and 1 are the meta pages.
    if (!Number.isFinite(number)) throw damaged('a page has a number that none can have')
    if (number < 2 || number >= end) throw damaged(`page ${number} is none of its pages`)
    if (this.#free.has(number)) throw damaged(`page ${number} is used, and listed as free`)
    const start = number * pageSize
    const head = this.#bytes.read(start, pageSize)
    const length = (head.readUInt32LE(12) + 1) * pageSize
    if (start + length > end * pageSize) throw damaged(`page ${number} is longer than the file`)
    if (pageNumber(head.readBigUInt64LE(0)) !== number) throw damaged(`page ${number} says that it is another one`)
    // What lies behind the first page of a block is read where it is needed.
    const read = (at: number, size: number) =>
      at + size <= pageSize ? head.subarray(at, at + size) : this.#bytes.read(start + at, size)
    const page = pageOf({ size: length, read }, length)
    if (page.kind !== leafFlag && page.kind !== branchFlag) throw damaged(`page ${number} is of another kind`)
    return page
  }

  #element({ count, length }: Page, index: number): number {
    const { entries } = this.#limits
    if (++this.#entries > entries)
      throw new SourceFault(`has more than ${entries} entries, which no database of File Browser has`)
    if (pageHeader + count * elementLength > length) throw damaged('a page says that it has more entries than fit into it')
    return pageHeader + index * elementLength
  }

  #key(page: Page, at: number, length: number): Buffer {
    if (length > this.#limits.keyLength) throw damaged('a key is longer than keys can be')
    return this.#read(page, at, length)
  }

  #read(page: Page, at: number, length: number): Buffer {
    if (at + length > page.length) throw damaged('an entry is longer than its page')
    this.#length += length
    const { content } = this.#limits
    if (this.#length > content)
      throw new SourceFault(`has more than ${content} bytes of content, which no database of File Browser has`)
    // Of its own, so that a key does not keep its page in memory.
    return Buffer.from(page.read(at, length))
  }

  /** What was deleted may still stand in free pages: one that is used all the same would bring it back. */
  #freePages(): ReadonlySet<number> {
    const { freelist: number, pageSize, end } = this.meta
    if (number === undefined) return new Set()
    if (number < 2 || number >= end) throw damaged('its list of free pages is none of its pages')
    const start = number * pageSize
    const head = this.#bytes.read(start, pageHeader + 8)
    if (head.readUInt16LE(8) !== freelistFlag) throw damaged('its list of free pages is of another kind')
    // A longer list has its length in the place of the first number.
    const isLong = head.readUInt16LE(10) === 0xffff
    const count = isLong ? pageNumber(head.readBigUInt64LE(pageHeader)) : head.readUInt16LE(10)
    const begin = start + pageHeader + (isLong ? 8 : 0)
    if (count > this.#limits.freePages || begin + count * 8 > end * pageSize) throw damaged('its list of free pages is too long')
    const list = this.#bytes.read(begin, count * 8)
    return new Set(Array.from({ length: count }, (_, index) => pageNumber(list.readBigUInt64LE(index * 8))))
  }
}

function* inOrder(entries: Iterable<BoltEntry>): Generator<BoltEntry> {
  let last: Buffer | undefined
  for (const entry of entries) {
    if (last && Buffer.compare(last, entry.key) >= 0) throw outOfOrder()
    last = entry.key
    yield entry
  }
}

/** A page with its overflow; `read` counts from its header. */
type Page = Readonly<{
  kind: number
  isLeaf: boolean
  count: number
  /** Bytes. */
  length: number
  read: SourceBytes['read']
}>

function pageOf({ read }: SourceBytes, length: number): Page {
  const header = read(0, pageHeader)
  const kind = header.readUInt16LE(8)
  return { kind, isLeaf: kind === leafFlag, count: header.readUInt16LE(10), length, read }
}

const outOfOrder = () => damaged('its keys are not in order')

function damaged(what: string): SourceFault {
  return new SourceFault(`is damaged: ${what}`)
}
