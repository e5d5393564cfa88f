// A hidden folder beside a name, into which something is written until it is whole, and which then gets the name by one rename. A kill
// leaves it to the search for stale temporary files.
import { Failure } from '../base/failure.ts'
import { newFolderMode } from './commit-file.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, type FoundName, type GrantedPath, resolveName } from './disk-context.ts'
import type { DiskDriver, Granted } from './driver.ts'
import type { DriverTree } from './driver-tree.ts'
import { present } from './entry.ts'
import { asFailure } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { moveFile, moveFolder } from './move.ts'
import { below, duplicateHandle, type PathHandle } from './path-handle.ts'
import { folderMoved, pathIn, placedName, withPlaces } from './place-locks.ts'
import { assertMovable } from './remove.ts'
import { removeTree } from './remove-tree.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { beginUse, endUse, newTreeName, type RunningWrite } from './temporary-names.ts'
import { lastingIdentity } from './version.ts'

type TreeParts = Readonly<{
  context: DiskContext
  /** Does work during which the disk stays open. */
  run<T>(work: (context: DiskContext) => Promise<T>): Promise<T>
  /** A disk below a folder. */
  driverIn(context: DiskContext): DiskDriver
}>

/** @param asked the name that it may get: its folder must be there @throws Failure('notFound') */
export async function openTree(parts: TreeParts, asked: GrantedPath): Promise<DriverTree> {
  const { context } = parts
  return withResolvedPath(context, { ...asked, acceptsUnanswered: true }, false, async ({ folder: found, folderPath }) => {
    // Before the folder is there: a search after a kill looks where the journal says.
    await context.journal?.note(folderPath)
    const folder = await duplicateHandle(context.strategy, found, asked.signal)
    const name = newTreeName()
    const write: RunningWrite = { folderPath, waitingSince: () => undefined, interrupt: () => {} }
    beginUse(name, write)
    const release = () => {
      endUse(name, write)
      folder.close()
    }
    try {
      await systemFor(context, folder).mkdir(below(folder, name), newFolderMode)
      const { calls } = fileSystemOn(folder.stats.dev)
      const tree = await calls.read(() => context.strategy.openPath(below(folder, name)))
      return new HiddenTree({ ...parts, folder, tree, name, path: pathIn(folderPath, name), release })
    } catch (error) {
      release()
      throw error
    }
  })
}

type OpenTree = TreeParts &
  Readonly<{
    folder: PathHandle
    tree: PathHandle
    /** The hidden one, and its path on the host. */
    name: string
    path: string
    release(): void
  }>

class HiddenTree implements DriverTree {
  readonly #parts: OpenTree
  readonly #inner: DiskContext
  readonly driver: DiskDriver
  #isGiven = false
  #ended: Promise<void> | undefined

  constructor(parts: OpenTree) {
    const { context, tree, path } = parts
    this.#parts = parts
    // Nothing in it is found by the journal: it is removed as a whole.
    this.#inner = { ...context, root: tree, rootPath: path, journal: undefined, kept: undefined }
    this.driver = parts.driverIn(this.#inner)
  }

  async give(top: string | undefined, at: Granted, onGiving: (identity: string) => Promise<void>): Promise<void> {
    await this.#parts.run((context) =>
      withResolvedPath(context, at, false, async (to) => {
        const { folder, tree, name } = this.#parts
        if (to.folder.identity !== folder.identity) throw folderMoved()
        checkFree(to)
        const from = top === undefined ? { folder, name, handle: tree } : await resolveName(this.#inner, tree, top)
        try {
          const handle = present(from)
          await onGiving(lastingIdentity(handle.stats, context.rootDevice))
          const place = placedName(context, at, to, false)
          const moves = handle.kind === 'folder'
          await withPlaces(context, [{ place, moves }], () => this.#giveNow(context, { from, to, handle }))
          this.#isGiven = top === undefined
          await syncFolderHandle(context, folder)
        } finally {
          if (top !== undefined) from.handle?.close()
        }
      }),
    )
  }

  // The name is resolved again under its lock.
  async #giveNow(context: DiskContext, { from, to, handle }: { from: FoundName; to: FoundName; handle: PathHandle }) {
    const target = await resolveName(context, to.folder, to.name)
    try {
      checkFree(target)
      assertMovable(this.#inner, from)
      await (handle.kind === 'folder' ? moveFolder : moveFile)(context, { from, to: target, handle })
    } finally {
      target.handle?.close()
    }
  }

  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end() {
    const { folder, tree, name, context, release } = this.#parts
    this.driver.close()
    try {
      if (!this.#isGiven) await asFailure(removeTree(context, folder, name))
    } finally {
      tree.close()
      release()
    }
  }
}

function checkFree({ handle, alias }: FoundName) {
  if (handle) throw new Failure('conflict', 'the name is taken')
  if (alias !== undefined) throw new Failure('conflict', 'the name is taken in another spelling')
}
