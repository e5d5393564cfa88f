// A log is what only grows, such as the counts of downloads: a file with one JSON value on each line.
import { constants } from 'node:buffer'
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { parsedJson } from '../base/json.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import { StartupError } from '../base/startup-error.ts'
import { mapYielding } from '../base/yield-to-event-loop.ts'
import { type DiskSystem, diskSystem, syncFolder, writeAll } from '../disk/system.ts'
import { writeDurably } from './durable-file.ts'
import type { LinePlace } from './placed-lines.ts'

const fstat = promisify(fs.fstat)
const readAt = promisify(fs.read)

type LogOptions<T> = Readonly<{
  /** What is no entry is left out when the log is read. */
  isEntry(value: unknown): value is T
  /** The line of an entry, with its newline. */
  lineOf?(entry: T): string
  /** Bytes of one file, after which it is turned over. */
  largest?: number | undefined
  /** The path with which the names of temporary files begin: see `writeDurably`. */
  family?: string
  system?: DiskSystem | undefined
}>

/** Bytes that are written at a time. */
const largestBatch = 2 ** 20

/** The newest is the file itself, the next `<file>.1`. */
const mostFiles = 10

/** All names that the files of a log have. */
export function logFilesOf(file: string): string[] {
  return [file, ...Array.from({ length: mostFiles - 1 }, (_, index) => `${file}.${index + 1}`)]
}

// Never through a link that somebody has put in its place.
const reading = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW
const appending = fs.constants.O_RDWR | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW

/** Lines that one call writes. `start`: where the first is in the file, once they are written. */
type Batch = { readonly lines: string[]; bytes: number; isDurable: boolean; readonly written: Promise<void>; start: number }

type OpenFile = { readonly fd: number; size: number; isTorn: boolean; isNameSynced: boolean }

export class Log<T> {
  readonly #file: string
  readonly #options: LogOptions<T>
  readonly #system: DiskSystem
  readonly #queue = new SerialQueue()
  /** The last batch, while lines can be added to it. */
  #batch: Batch | undefined
  #open: OpenFile | undefined
  #waitingBytes = 0

  /** @param file is made with the first line */
  constructor(file: string, options: LogOptions<T>) {
    this.#file = file
    this.#options = options
    this.#system = options.system ?? diskSystem
  }

  /** Bytes of lines that are not being written yet. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /**
   * All entries, the oldest first, without those of files that were turned over. A line that a power failure has torn is left out.
   * @throws StartupError for what is no file, for one that cannot be read, and for one that is longer than a text can be
   */
  read(): T[] {
    const lines = readAtStart(this.#file).split('\n')
    return lines.map((line) => entryIn(line, this.#options.isEntry)).filter((entry) => entry !== undefined)
  }

  /** The same while the server runs: others have their turns meanwhile. @throws the errno of what failed */
  async readLater(): Promise<T[]> {
    const text = await fs.promises.readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    return mapYielding(text.split('\n'), (line) => entryIn(line, this.#options.isEntry))
  }

  /**
   * Adds an entry. Those that are added while others are being written share one write.
   * @param isDurable whether it survives a power failure as soon as this resolves
   * @throws the errno of what failed: the entry is not in the log
   */
  append(entry: T, isDurable = false): Promise<void> {
    const line = this.#lineOf(entry)
    if (!this.#batch || this.#batch.bytes >= largestBatch) this.#batch = this.#newBatch()
    const bytes = Buffer.byteLength(line)
    this.#batch.lines.push(line)
    this.#batch.bytes += bytes
    this.#batch.isDurable ||= isDurable
    this.#waitingBytes += bytes
    return this.#batch.written
  }

  /** The same of a log that is never turned over. @returns where its line is in the file, without the newline */
  async appendPlaced(entry: T, isDurable = false): Promise<LinePlace> {
    const written = this.append(entry, isDurable)
    const batch = this.#batch as Batch
    const bytes = Buffer.byteLength(this.#lineOf(entry))
    const before = batch.bytes - bytes
    await written
    return { start: batch.start + before, length: bytes - 1 }
  }

  /** Replaces all entries durably. @throws as `writeDurably` */
  replace(entries: readonly T[]): Promise<void> {
    // What is added from now on comes after these.
    this.#batch = undefined
    const text = entries.map((entry) => this.#lineOf(entry)).join('')
    return this.#queue.run(async () => {
      await this.#closeFile()
      await writeDurably(this.#system, this.#file, text, this.#options.family)
    })
  }

  /** Makes what is in the file survive a power failure. @throws the errno of what failed */
  sync(): Promise<void> {
    return this.#queue.run(async () => this.#sync(this.#open ?? (await this.#openFile())))
  }

  /** @returns when all entries so far are written */
  close(): Promise<void> {
    return this.#queue.run(() => this.#closeFile())
  }

  #lineOf(entry: T): string {
    return this.#options.lineOf?.(entry) ?? `${JSON.stringify(entry)}\n`
  }

  #newBatch(): Batch {
    const written = this.#queue.run(() => this.#write(batch))
    const batch: Batch = { lines: [], bytes: 0, isDurable: false, written, start: 0 }
    return batch
  }

  async #write(batch: Batch) {
    if (this.#batch === batch) this.#batch = undefined
    this.#waitingBytes -= batch.bytes
    const file = await this.#fileFor(batch)
    const bytes = Buffer.from(`${file.isTorn ? '\n' : ''}${batch.lines.join('')}`)
    try {
      await writeAll(this.#system, file.fd, bytes)
      if (batch.isDurable) await this.#sync(file)
    } catch (error) {
      await this.#system.truncate(file.fd, file.size).catch(() => {})
      await this.#closeFile().catch(() => {})
      throw error
    }
    batch.start = file.size + (file.isTorn ? 1 : 0)
    file.size += bytes.length
    file.isTorn = false
  }

  async #sync(file: OpenFile) {
    await this.#system.sync(file.fd)
    // The name of a file that was made lasts only once its folder is synced. Windows cannot sync a folder.
    if (file.isNameSynced || process.platform === 'win32') return
    await syncFolder(this.#system, dirname(this.#file))
    file.isNameSynced = true
  }

  async #fileFor({ bytes }: Batch): Promise<OpenFile> {
    const file = this.#open ?? (await this.#openFile())
    if (file.size === 0 || file.size + bytes <= (this.#options.largest ?? Number.POSITIVE_INFINITY)) return file
    await this.#turnOver()
    return this.#openFile()
  }

  async #openFile(): Promise<OpenFile> {
    const fd = await this.#system.open(this.#file, appending, 0o600)
    try {
      this.#open = { fd, ...(await measured(fd)), isNameSynced: false }
      return this.#open
    } catch (error) {
      await this.#system.close(fd).catch(() => {})
      throw error
    }
  }

  async #closeFile() {
    const file = this.#open
    this.#open = undefined
    if (file) await this.#system.close(file.fd)
  }

  async #turnOver() {
    await this.#closeFile()
    const files = logFilesOf(this.#file)
    for (let number = mostFiles - 2; number >= 0; number--) {
      await this.#system.rename(files[number] as string, files[number + 1] as string).catch(ignoreMissing)
    }
  }
}

/** @returns undefined for a line that is none, such as a torn one */
export function entryIn<T>(line: string, isEntry: (value: unknown) => value is T): T | undefined {
  const value = parsedJson(line)
  return isEntry(value) ? value : undefined
}

function readAtStart(file: string): string {
  try {
    return textOf(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(
      `${file} cannot be read (${reason}): make it a file that can be read, or move it away, which drops what it holds.`,
      { cause },
    )
  }
}

function textOf(file: string): string {
  let fd: number
  try {
    fd = fs.openSync(file, reading)
  } catch (error) {
    ignoreMissing(error)
    return ''
  }
  try {
    const { size } = fs.fstatSync(fd)
    if (size > constants.MAX_STRING_LENGTH) throw new Error(`${size} bytes are too many`)
    return fs.readFileSync(fd, 'utf8')
  } finally {
    fs.closeSync(fd)
  }
}

/** A line that broke off when the power failed must not take the next one with it. */
async function measured(fd: number): Promise<{ size: number; isTorn: boolean }> {
  const { size } = await fstat(fd)
  if (size === 0) return { size, isTorn: false }
  const { buffer } = await readAt(fd, Buffer.alloc(1), 0, 1, size - 1)
  return { size, isTorn: buffer[0] !== 0x0a }
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
