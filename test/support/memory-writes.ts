// Pending writes of the disk in memory.
import { randomBytes } from 'node:crypto'
import { Failure } from '../../src-server/base/failure.ts'
import type { Path } from '../../src-server/base/paths.ts'
import { type Body, BodyReader } from '../../src-server/disk/body-reader.ts'
import type { AppendHow, BeginHow, CommitHow, DriverWrite, Entry, Granted } from '../../src-server/disk/driver.ts'

type Pending = { path: Path; how: BeginHow; chunks: Uint8Array[]; size: number; isOpen: boolean }
/** Gives complete content its name. */
type Commit = (at: Granted, bytes: Uint8Array, how: CommitHow) => Entry

export class MemoryWrites {
  readonly #pending = new Map<string, Pending>()
  readonly #commit: Commit

  constructor(commit: Commit) {
    this.#commit = commit
  }

  begin({ path, signal }: Granted, how: BeginHow): DriverWrite {
    const name = how.name ?? `.holdall-${randomBytes(16).toString('hex')}.part`
    this.#pending.set(name, { path, how, chunks: [], size: 0, isOpen: false })
    return this.#open(name, signal)
  }

  resume({ path, signal }: Granted, { name }: { name: string }): DriverWrite {
    if (this.#pending.get(name)?.path !== path) throw new Failure('notFound')
    return this.#open(name, signal)
  }

  #open(name: string, signal: AbortSignal | undefined): DriverWrite {
    const pending = this.#pending.get(name) as Pending
    if (pending.isOpen) throw new Failure('busy')
    pending.isOpen = true
    const end = async (isKept: boolean) => {
      pending.isOpen = false
      if (!isKept) this.#pending.delete(name)
    }
    return new MemoryWrite({ name, pending, signal, commit: this.#commit, end })
  }
}

type Parts = Readonly<{
  name: string
  pending: Pending
  signal: AbortSignal | undefined
  commit: Commit
  end(isKept: boolean): Promise<void>
}>

class MemoryWrite implements DriverWrite {
  readonly #parts: Parts
  #reader: BodyReader | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    parts.signal?.addEventListener('abort', () => {
      this.#reader?.interrupt(parts.signal?.reason)
      void this.#release()
    })
  }

  get name() {
    return this.#parts.name
  }

  get size() {
    return this.#parts.pending.size
  }

  get isNamed() {
    return false
  }

  async append(body: Body, { offset, onSynced }: AppendHow): Promise<void> {
    const { pending } = this.#parts
    this.#assertOpen()
    if (this.#reader) throw new Failure('busy')
    if (offset !== this.size) throw new Failure('range')
    this.#reader = new BodyReader()
    try {
      await this.#reader.each(body, async (chunk) => {
        pending.chunks.push(chunk.slice())
        pending.size += chunk.length
        onSynced?.(pending.size)
      })
    } finally {
      this.#reader = undefined
    }
  }

  async sync() {}

  async truncate(bytes: number): Promise<void> {
    const { pending } = this.#parts
    this.#assertOpen()
    if (bytes >= pending.size) return
    pending.chunks = [Buffer.concat(pending.chunks).subarray(0, bytes)]
    pending.size = bytes
  }

  async commit(at: Granted, how: CommitHow): Promise<Entry> {
    const { pending, commit } = this.#parts
    this.#assertOpen()
    try {
      const entry = commit(at, Buffer.concat(pending.chunks), how)
      await this.discard()
      return entry
    } finally {
      await this.#release()
    }
  }

  discard() {
    return this.#parts.end(false)
  }

  close() {
    return this.#parts.end(true)
  }

  #assertOpen() {
    this.#parts.signal?.throwIfAborted()
    if (!this.#parts.pending.isOpen) throw new TypeError('The write has ended')
  }

  #release() {
    return this.#parts.end(this.#parts.pending.how.resumable === true)
  }
}
