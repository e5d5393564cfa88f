// Previews on disk. An entry is a file that is written under another name and renamed; its checksum is checked when it is read, so
// that an entry that a crash left incomplete is never served.
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Clock, systemClock } from '../base/clock.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import { type PreviewType, previewTypes, type Refusal } from './frames.ts'

/** A preview, or why there is none. */
export type CacheEntry = Readonly<{ type: PreviewType; bytes: Buffer } | { refusal: Refusal }>

export type CacheOptions = Readonly<{
  /** Made when it is needed. */
  folder: string
  /** Bytes on disk. */
  most?: number
  clock?: Clock
  /** Told once that entries cannot be written. */
  report?(error: unknown): void
}>

/** Milliseconds after which a refusal is forgotten: a busy machine may have been the reason for it. */
const refusalLife = 24 * 60 * 60 * 1000
/** Milliseconds after which the time of use of an entry is written again. */
const useInterval = 60 * 60 * 1000
/** Bytes that each file takes at least. */
const block = 4096

type StoredPreview = { size: number; used: number }

/** Keeps previews by key. The least recently used are removed. */
export class PreviewCache {
  readonly #folder: string
  readonly #most: number
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  /** By file name, the least recently used first. Complete once the folder was read. */
  readonly #stored = new Map<string, StoredPreview>()
  #size = 0
  #loading: Promise<void> | undefined
  #isLoaded = false
  readonly #removing = new SerialQueue()
  #hasFailed = false

  constructor({ folder, most = 2 ** 30, clock = systemClock, report = () => {} }: CacheOptions) {
    this.#folder = folder
    this.#most = most
    this.#clock = clock
    this.#report = report
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    const name = nameOf(key)
    const bytes = await fs.readFile(this.#pathOf(name)).catch(() => undefined)
    const entry = bytes && decode(bytes, this.#clock.now())
    if (!entry) return undefined
    await this.#markUsed(name, bytes.length)
    return entry
  }

  /** Stores an entry. When that fails, it is reported and nothing is stored. */
  async put(key: string, entry: CacheEntry): Promise<void> {
    const name = nameOf(key)
    const bytes = encode(entry, this.#clock.now())
    try {
      await this.#write(name, bytes)
    } catch (error) {
      if (!this.#hasFailed) this.#report(error)
      this.#hasFailed = true
      return
    }
    this.#hasFailed = false
    this.#remember(name, bytes.length)
    this.#loading ??= this.#load().catch((error) => this.#report(error))
    this.#removeLeastUsed()
  }

  /** Resolves when the folder is read and what is too much is removed. For tests. */
  async settled(): Promise<void> {
    await this.#loading
    await this.#removing.run(async () => {})
  }

  async #write(name: string, bytes: Buffer) {
    const path = this.#pathOf(name)
    const unfinished = `${path}.${randomBytes(8).toString('hex')}${unfinishedEnding}`
    await fs.mkdir(join(this.#folder, folderOf(name)), { recursive: true, mode: 0o700 })
    try {
      await fs.writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx' })
      await fs.rename(unfinished, path)
    } catch (error) {
      await fs.rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }

  /** The time of use is that of the file, so that it is known after a restart. */
  async #markUsed(name: string, size: number) {
    const now = this.#clock.now()
    const last = this.#stored.get(name)?.used
    this.#remember(name, size, last)
    if (last !== undefined && now - last < useInterval) return
    this.#remember(name, size, now)
    await fs.utimes(this.#pathOf(name), now / 1000, now / 1000).catch(() => {})
  }

  /** Makes an entry the most recently used one. */
  #remember(name: string, size: number, used = this.#clock.now()) {
    this.#forget(name)
    this.#stored.set(name, { size: Math.ceil(size / block) * block, used })
    this.#size += Math.ceil(size / block) * block
  }

  #forget(name: string) {
    this.#size -= this.#stored.get(name)?.size ?? 0
    this.#stored.delete(name)
  }

  #removeLeastUsed() {
    if (!this.#isLoaded) return
    const removed: string[] = []
    for (const name of this.#stored.keys()) {
      if (this.#size <= this.#most) break
      removed.push(name)
      this.#forget(name)
    }
    if (removed.length > 0) void this.#removing.run(() => this.#remove(removed))
  }

  async #remove(names: readonly string[]) {
    for (const name of names) {
      // It may have been made again meanwhile.
      if (!this.#stored.has(name)) await fs.rm(this.#pathOf(name), { force: true }).catch(this.#report)
    }
  }

  /** Finds the entries of earlier runs, and removes what these left unfinished. */
  async #load() {
    const found: [name: string, stored: StoredPreview][] = []
    for (const folder of await fs.readdir(this.#folder)) {
      for (const name of await fs.readdir(join(this.#folder, folder)).catch(() => [])) {
        const path = join(this.#folder, folder, name)
        const stats = await fs.stat(path).catch(() => undefined)
        if (!stats) continue
        if (isEntryName(name)) found.push([name, { size: stats.size, used: stats.mtimeMs }])
        else if (this.#clock.now() - stats.mtimeMs > useInterval) await fs.rm(path, { force: true }).catch(() => {})
      }
    }
    const newer = [...this.#stored]
    this.#stored.clear()
    this.#size = 0
    for (const [name, { size, used }] of found.sort(([, one], [, other]) => one.used - other.used))
      this.#remember(name, size, used)
    for (const [name, { size, used }] of newer) this.#remember(name, size, used)
    this.#isLoaded = true
    this.#removeLeastUsed()
  }

  #pathOf(name: string) {
    return join(this.#folder, folderOf(name), name)
  }
}

const unfinishedEnding = '.part'

/** Keys hold paths of any length. */
function nameOf(key: string) {
  return createHash('sha256').update(key).digest('hex')
}

const isEntryName = (name: string) => /^[0-9a-f]{64}$/.test(name)

/** Spreads the entries, because some file systems are slow with a hundred thousand in one folder. */
const folderOf = (name: string) => name.slice(0, 2)

/** The beginning of a file; changes with its format. */
const magic = Buffer.from('HPC1')
/** Bytes before the content: the beginning, the sum, the time in seconds, and what it is. */
const headerSize = 13

const refusalCodes = ['unsupported', 'tooLarge'] as const

function encode(entry: CacheEntry, now: number): Buffer {
  const content = 'refusal' in entry ? Buffer.from(entry.refusal.message) : entry.bytes
  const kind = 'refusal' in entry ? 0x80 + refusalCodes.indexOf(entry.refusal.code) : previewTypes.indexOf(entry.type)
  const all = Buffer.alloc(headerSize + content.length)
  magic.copy(all)
  all.writeUInt32BE(Math.floor(now / 1000), 8)
  all[12] = kind
  content.copy(all, headerSize)
  all.writeUInt32BE(crc32(all.subarray(8)), 4)
  return all
}

/** @returns undefined when the file is incomplete, or is a refusal of long ago */
function decode(all: Buffer, now: number): CacheEntry | undefined {
  if (all.length < headerSize || !all.subarray(0, 4).equals(magic) || all.readUInt32BE(4) !== crc32(all.subarray(8)))
    return undefined
  const [kind = 0, content] = [all[12], all.subarray(headerSize)]
  const type = previewTypes[kind]
  if (type) return { type, bytes: content }
  const code = refusalCodes[kind - 0x80]
  const isOld = now - all.readUInt32BE(8) * 1000 > refusalLife
  return code && !isOld ? { refusal: { code, message: content.toString() } } : undefined
}
