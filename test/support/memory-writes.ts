// Pending writes of the disk in memory.
import { randomBytes } from 'node:crypto'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import type { Path } from '../../src-server/base/paths.ts'
import { type Body, BodyReader } from '../../src-server/disk/body-reader.ts'
import type { BeginHow, CommitHow, Disk, Entry, PendingWrite } from '../../src-server/disk/disk.ts'

type Writable = Capability<'create' | 'modify' | 'rename'>
type Pending = { path: Path; how: BeginHow; bytes: Uint8Array; isOpen: boolean }

export class MemoryWrites {
  readonly #pending = new Map<string, Pending>()
  readonly #write: Disk['write']

  /** @param write writes the complete content to its path */
  constructor(write: Disk['write']) {
    this.#write = write
  }

  begin(at: Writable, how: BeginHow, signal?: AbortSignal): PendingWrite {
    const { path } = Capability.check(at, 'create', 'modify', 'rename')
    const name = `.holdall-${randomBytes(16).toString('hex')}.part`
    this.#pending.set(name, { path, how, bytes: new Uint8Array(), isOpen: false })
    return this.#open(name, signal)
  }

  resume(at: Writable, { name }: { name: string }, signal?: AbortSignal): PendingWrite {
    const { path } = Capability.check(at, 'create', 'modify', 'rename')
    if (this.#pending.get(name)?.path !== path) throw new Failure('notFound')
    return this.#open(name, signal)
  }

  #open(name: string, signal: AbortSignal | undefined): PendingWrite {
    const pending = this.#pending.get(name) as Pending
    if (pending.isOpen) throw new Failure('busy')
    pending.isOpen = true
    const end = async (isKept: boolean) => {
      pending.isOpen = false
      if (!isKept) this.#pending.delete(name)
    }
    return new MemoryWrite({ name, pending, signal, write: this.#write, end })
  }
}

type Parts = Readonly<{
  name: string
  pending: Pending
  signal: AbortSignal | undefined
  write: Disk['write']
  end(isKept: boolean): Promise<void>
}>

class MemoryWrite implements PendingWrite {
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
    return this.#parts.pending.bytes.length
  }

  async append(body: Body, { offset }: { offset: number }): Promise<void> {
    const { pending } = this.#parts
    this.#assertOpen()
    if (this.#reader) throw new Failure('busy')
    if (offset !== this.size) throw new Failure('range')
    this.#reader = new BodyReader()
    try {
      await this.#reader.each(body, async (chunk) => {
        pending.bytes = Buffer.concat([pending.bytes, chunk])
      })
    } finally {
      this.#reader = undefined
    }
  }

  async commit(capability: Writable, how: CommitHow): Promise<Entry> {
    const { pending, write } = this.#parts
    this.#assertOpen()
    if (Capability.check(capability, 'create', 'modify', 'rename').path !== pending.path) throw new TypeError('another path')
    const body = async function* () {
      yield pending.bytes
    }
    try {
      const entry = await write(capability, body(), how)
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
