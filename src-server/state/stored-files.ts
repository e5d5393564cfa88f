// Values of which each has a file of its own beside the state, because it is large, or changes too often to write the state each time.
import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SerialQueue } from '../base/serial-queue.ts'
import { type DiskSystem, diskSystem, syncFolder, writeAllAt } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { writeDurably } from './durable-file.ts'

type StoredFilesOptions<T> = Readonly<{
  stateFile: string
  name: Parameters<typeof besideState>[1]
  isValue(value: unknown): value is T
  /** Called with the path of a file that cannot be read or holds no such value. */
  report(path: string, error: unknown): void
  system?: DiskSystem
}>

const idPattern = /^[\w-]{1,128}$/
const ending = '.json'

/** Bytes of a block: a power failure while one is written does not harm others. */
const block = 4096
/** Bytes behind a value in which fields of it can be changed. */
const room = block
const lineEnd = '\n'

/** Where in a file the next line goes, and where its room ends. */
type Room = { at: number; readonly end: number }

/**
 * The folder `<state>.NAME/`, with one JSON file a value: `<id>.json`. Behind a value whose fields change often there is room for lines of
 * JSON with new fields: neither the name nor the length of its file changes with them, so that one sync of its bytes makes them durable.
 */
export class StoredFiles<T> {
  readonly #folder: string
  readonly #options: StoredFilesOptions<T>
  readonly #system: DiskSystem
  /** By id, and '' for the folder. */
  readonly #queue = new SerialQueue()
  /** Of values that this process has written. */
  readonly #rooms = new Map<string, Room>()
  #isMade = false

  constructor(options: StoredFilesOptions<T>) {
    this.#folder = besideState(options.stateFile, options.name)
    this.#options = options
    this.#system = options.system ?? diskSystem
  }

  /** All values by id. What cannot be read is reported and left out. Call it before the first write, as `ids`. */
  async all(): Promise<Map<string, T>> {
    const found = new Map<string, T>()
    for (const id of await this.ids()) {
      const value = await this.read(id)
      if (value !== undefined) found.set(id, value)
    }
    return found
  }

  /** The ids of all values, which are not read. Call it before the first write: it removes interrupted ones. */
  async ids(): Promise<string[]> {
    const ids: string[] = []
    for (const name of await namesIn(this.#folder)) {
      if (/\.tmp-[0-9a-f]{32}$/.test(name)) await this.#system.unlink(join(this.#folder, name))
      const id = name.slice(0, -ending.length)
      if (name.endsWith(ending) && idPattern.test(id)) ids.push(id)
    }
    return ids
  }

  /** @returns undefined when there is none, and for what cannot be read, which is reported */
  async read(id: string): Promise<T | undefined> {
    const path = this.#pathOf(id)
    try {
      return await this.#read(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#options.report(path, error)
      return undefined
    }
  }

  /**
   * Durably replaces a value, or adds it.
   * @param hasRoom whether fields of it may be changed soon
   * @throws as `writeDurably`, TypeError for an id that is no name
   */
  write(id: string, value: T, hasRoom = false): Promise<void> {
    const path = this.#pathOf(id)
    const text = Buffer.from(JSON.stringify(value))
    return this.#queue.run(async () => {
      this.#rooms.delete(id)
      await this.#queue.run(() => this.#makeFolder())
      if (!hasRoom) return writeDurably(this.#system, path, [text])
      const at = Math.ceil((text.length + 1) / block) * block
      await writeDurably(this.#system, path, [text, Buffer.alloc(at - text.length + room, lineEnd)])
      this.#rooms.set(id, { at, end: at + room })
    }, id)
  }

  /** Durably changes fields of a value that this process has written. @returns false where all of it has to be written in place of that */
  change(id: string, fields: Partial<T>): Promise<boolean> {
    const line = Buffer.from(JSON.stringify(fields) + lineEnd)
    return this.#queue.run(async () => {
      const room = this.#rooms.get(id)
      // After an error the system may count as written what is not.
      this.#rooms.delete(id)
      if (!room || room.at + line.length > room.end) return false
      const isWritten = await this.#writeLine(this.#pathOf(id), line, room.at).then(
        () => true,
        () => false,
      )
      if (isWritten) this.#rooms.set(id, { ...room, at: room.at + line.length })
      return isWritten
    }, id)
  }

  async #writeLine(path: string, line: Uint8Array, position: number) {
    const fd = await this.#system.open(path, constants.O_WRONLY | constants.O_NOFOLLOW)
    try {
      await writeAllAt(this.#system, fd, { chunks: [line], position })
      await this.#system.syncData(fd)
    } finally {
      await this.#system.close(fd)
    }
  }

  /** Durably removes a value; one that is not there is no error. */
  remove(id: string): Promise<void> {
    const path = this.#pathOf(id)
    return this.#queue.run(async () => {
      this.#rooms.delete(id)
      if (!(await unlessCode(this.#system.unlink(path), 'ENOENT'))) return
      if (process.platform !== 'win32') await syncFolder(this.#system, this.#folder)
    }, id)
  }

  #pathOf(id: string): string {
    if (!idPattern.test(id)) throw new TypeError(`${id} is no name of a file`)
    return join(this.#folder, id + ending)
  }

  async #makeFolder() {
    if (this.#isMade) return
    await makeFolderBeside(this.#system, this.#folder)
    this.#isMade = true
  }

  async #read(path: string): Promise<T> {
    // Never through a link that somebody has put in its place.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const value = await parsed(file).finally(() => file.close())
    if (!this.#options.isValue(value)) throw new TypeError('the file holds something else')
    return value
  }
}

/** Makes a folder durably that nobody else may read; one that exists is fine. */
export async function makeFolderBeside(system: DiskSystem, folder: string): Promise<void> {
  await unlessCode(system.mkdir(folder, 0o700), 'EEXIST')
  // Its name may not be durable yet, whoever has made it. Windows cannot sync a folder.
  if (process.platform !== 'win32') await syncFolder(system, dirname(folder))
}

async function parsed(file: FileHandle): Promise<unknown> {
  const [text = '', ...lines] = (await file.readFile('utf8')).split(lineEnd)
  let value = JSON.parse(text)
  for (const line of lines) {
    const fields = line === '' ? {} : parsedLine(line)
    // A power failure has torn it: it was not durable yet.
    if (fields === undefined) break
    value = { ...value, ...fields }
  }
  return value
}

function parsedLine(line: string): object | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The names in a folder; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return []
  }
}

/** @returns false when the call failed with this errno */
async function unlessCode(call: Promise<void>, code: string): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (codeOf(error) !== code) throw error
    return false
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
