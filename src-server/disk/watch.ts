// Watches one folder: by notifications of the system, and by polling every two seconds where there are none.
import * as fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Failure } from '../base/failure.ts'
import type { FolderChange } from './disk.ts'
import type { Asked, DiskContext } from './disk-context.ts'
import { present } from './entry.ts'
import { fileSystemOf } from './file-systems.ts'
import { duplicateHandle, type PathHandle } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { isTemporaryName } from './temporary-names.ts'

/** Milliseconds between two polls of a folder without notifications. */
const lookEvery = 2000
/** With more changed names than this, only the fact of a change is reported. */
const mostNames = 1000

/** A folder to be watched; closed by `watchFolder`. */
export type Watched = Readonly<{ folder: PathHandle; context: DiskContext; isLocal: boolean }>

/** @throws Failure('notFound' | 'invalid') */
export function openWatched(context: DiskContext, asked: Asked): Promise<Watched> {
  return withResolvedPath(context, asked, true, async (resolved) => {
    const found = present(resolved)
    if (found.kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const { isLocal } = await fileSystemOf(found)
    return { folder: await duplicateHandle(context.strategy, found), context, isLocal }
  })
}

/** The first change has no name and reports that the watch has begun: a listing from before may be outdated. */
export async function* watchFolder(watched: Watched, signal: AbortSignal, every = lookEvery): AsyncGenerator<FolderChange> {
  const { folder } = watched
  const changes = new Changes()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  try {
    const isTold = follow(watched, changes, either)
    // A network file system reports only changes of this machine, and no system reports the removal of an open folder.
    void look(watched, { changes, signal: either, every, isTold: isTold && watched.isLocal })
    yield {}
    for (;;) {
      const names = await changes.next(either)
      if (!names) return
      for (const name of names) {
        if (name === undefined) yield {}
        else if (!isHidden(watched, name)) yield { name }
      }
    }
  } finally {
    stop.abort()
    folder.close()
  }
}

function isHidden({ context, folder }: Watched, name: string) {
  return isTemporaryName(name) || context.protectedPaths.isProtectedName(folder.identity, name)
}

/** @returns whether the system reports changes */
function follow({ folder }: Watched, changes: Changes, signal: AbortSignal): boolean {
  // The system reports the folder itself by the last part of its address, which may also be the name of an entry.
  const own = folder.address.slice(folder.address.lastIndexOf('/') + 1)
  try {
    const watcher = fs.watch(folder.address, { signal }, (_, name) => {
      changes.add(name === own ? undefined : (name ?? undefined))
    })
    watcher.on('error', () => changes.end())
    return true
  } catch {
    return false
  }
}

type LookHow = Readonly<{ changes: Changes; signal: AbortSignal; every: number; isTold: boolean }>

async function look(watched: Watched, { changes, signal, every, isTold }: LookHow) {
  let last = await stateOf(watched)
  while (await pause(every, signal)) {
    const now = await stateOf(watched)
    if (!now || now.nlink === 0n) return changes.end()
    if (!isTold && now.mtimeNs !== last?.mtimeNs) changes.add(undefined)
    last = now
  }
}

/** Undefined when the folder was removed. */
function stateOf({ folder, context }: Watched) {
  return context.strategy.lstat(`${folder.address}/.`).catch(() => undefined)
}

async function pause(every: number, signal: AbortSignal) {
  return setTimeout(every, true, { signal, ref: false }).catch(() => false)
}

/** Changed names that were not read yet, each once; undefined stands for any name. */
export class Changes {
  readonly #names = new Set<string | undefined>()
  #isEnded = false
  #wake: () => void = () => {}

  add(name: string | undefined) {
    if (this.#names.size < mostNames) this.#names.add(name)
    else {
      this.#names.clear()
      this.#names.add(undefined)
    }
    this.#wake()
  }

  end() {
    this.#isEnded = true
    this.#wake()
  }

  /** Waits for the next names; undefined at the end. */
  async next(signal: AbortSignal): Promise<(string | undefined)[] | undefined> {
    while (this.#names.size === 0) {
      if (this.#isEnded || signal.aborted) return undefined
      const woken = Promise.withResolvers<void>()
      this.#wake = woken.resolve
      signal.addEventListener('abort', this.#wake, { once: true })
      await woken.promise
      signal.removeEventListener('abort', this.#wake)
    }
    const names = [...this.#names]
    this.#names.clear()
    return signal.aborted ? undefined : names
  }
}
