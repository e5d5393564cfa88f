import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/** The newest is the file itself, the next `<file>.1`. */
const mostFiles = 10

/** All names that the log's files have. */
export function logFilesOf(path: string): string[] {
  return [path, ...Array.from({ length: mostFiles - 1 }, (_, index) => `${path}.${index + 1}`)]
}

/** Readable by nobody else, and never a link that somebody has put in its place. */
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** A file of lines that is turned over by size. One call at a time. */
export class LogFile {
  readonly #path: string
  readonly #largest: number
  #handle: FileHandle | undefined
  #size = 0

  /** @param largest bytes of one file */
  constructor(path: string, largest: number) {
    this.#path = path
    this.#largest = largest
  }

  /** Appends lines: all of them or none. @throws the error of the system */
  async append(lines: Buffer): Promise<void> {
    await this.#open()
    if (this.#size > 0 && this.#size + lines.length > this.#largest) await this.#turnOver()
    const handle = await this.#open()
    try {
      await handle.appendFile(lines)
      this.#size += lines.length
    } catch (error) {
      await handle.truncate(this.#size).catch(() => {})
      await this.close()
      throw error
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle
    const handle = await open(this.#path, flags, 0o600)
    this.#handle = handle
    this.#size = (await handle.stat()).size
    // A line that broke off when the power failed must not take the next one with it.
    if (this.#size > 0 && !(await endsInNewline(handle, this.#size))) {
      await handle.appendFile('\n')
      this.#size++
    }
    return handle
  }

  async #turnOver() {
    await this.close()
    await rm(`${this.#path}.${mostFiles - 1}`, { force: true })
    for (let number = mostFiles - 2; number >= 0; number--) {
      const from = number === 0 ? this.#path : `${this.#path}.${number}`
      await rename(from, `${this.#path}.${number + 1}`).catch(ignoreMissing)
    }
  }
}

async function endsInNewline(handle: FileHandle, size: number) {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}
