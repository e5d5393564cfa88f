// Removes what nobody can reach any more: by open folders, so that no link is followed and no mount is entered, whatever is below.
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { mapLimit } from './map-limit.ts'
import type { PathHandle } from './path-handle.ts'
import { mountOf } from './trash-folder.ts'

// One character for each byte: names need not be UTF-8.
const readdir = promisify(fs.readdir) as (path: string, encoding: 'latin1') => Promise<string[]>

/** Calls of the system at a time. */
const atOnce = 8
/** Folders that are open at a time; what lies deeper is moved up first. */
const deepest = 64
/** Times that the outermost folder is emptied: each takes away some levels of what lies deeper. */
const mostRounds = 10_000

type TreeContext = Pick<DiskContext, 'strategy' | 'system'>

/** @param name its bytes, one character each @throws Failure('conflict') when a file system is mounted below; what is gone by then stays gone */
export async function removeTree(context: TreeContext, folder: PathHandle, name: string, signal?: AbortSignal): Promise<void> {
  await new TreeRemoval(context, folder, signal).remove(folder, name, 0)
}

class TreeRemoval {
  readonly #context: TreeContext
  readonly #signal: AbortSignal | undefined
  readonly #mount: string | undefined
  /** The outermost folder that is removed. */
  #top: PathHandle | undefined

  constructor(context: TreeContext, folder: PathHandle, signal: AbortSignal | undefined) {
    this.#context = context
    this.#signal = signal
    this.#mount = mountOf(folder)
  }

  async remove(folder: PathHandle, name: string, depth: number): Promise<void> {
    if (!(await this.#unlink(folder, name))) await this.#removeFolder(folder, name, depth)
  }

  /** @returns false for a folder */
  async #unlink(folder: PathHandle, name: string): Promise<boolean> {
    this.#signal?.throwIfAborted()
    try {
      await ignoringNotFound(systemFor(this.#context, folder).unlink(addressIn(folder, name)))
      return true
    } catch (error) {
      // Linux says EISDIR of a folder, other systems EPERM.
      if (errnoOf(error) !== 'EISDIR' && errnoOf(error) !== 'EPERM') throw error
      return false
    }
  }

  async #removeFolder(folder: PathHandle, name: string, depth: number) {
    const { strategy } = this.#context
    const { calls } = fileSystemOn(folder.stats.dev)
    const inner = await ignoringNotFound(calls.read(() => strategy.openPath(addressIn(folder, name))))
    if (!inner) return
    try {
      if (inner.kind !== 'folder') throw new Failure('forbidden')
      if (mountOf(inner) !== this.#mount) throw new Failure('conflict', 'a file system is mounted in it')
      this.#top ??= inner
      // What was moved up from below is found by the next round.
      for (let rounds = 0; (await this.#removeContent(inner, depth)) && inner === this.#top; rounds++) {
        // A file system that lists what it does not have.
        if (rounds === mostRounds) throw new Failure('conflict', 'the folder is not empty')
      }
    } finally {
      inner.close()
    }
    await ignoringNotFound(systemFor(this.#context, folder).rmdir(addressIn(folder, name)))
  }

  /** @returns whether there was any */
  async #removeContent(folder: PathHandle, depth: number): Promise<boolean> {
    const names = await fileSystemOn(folder.stats.dev).calls.read(() => readdir(folder.address, 'latin1'))
    const folders: string[] = []
    await mapLimit(names, atOnce, async (name) => {
      if (!(await this.#unlink(folder, name))) folders.push(name)
    })
    for (const name of folders) {
      if (depth + 1 < deepest || !(await this.#moveUp(folder, name))) await this.#removeFolder(folder, name, depth + 1)
    }
    return names.length > 0
  }

  /** @returns whether it is a folder in the outermost one now */
  async #moveUp(folder: PathHandle, name: string): Promise<boolean> {
    if (!this.#top) return false
    const above = addressIn(this.#top, `.holdall-${randomBytes(16).toString('hex')}.extract`)
    try {
      await systemFor(this.#context, folder).rename(addressIn(folder, name), above)
      return true
    } catch {
      return false
    }
  }
}

function addressIn(folder: PathHandle, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder.address}/`), Buffer.from(name, 'latin1')])
}
