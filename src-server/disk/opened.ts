// What a disk gives for what is read or written in steps.
import type { Readable as Stream } from 'node:stream'
import type { Capability } from '../access/authorize.ts'
import { type Path, parentOf } from '../base/paths.ts'
import { BelowPrefix } from './below-prefix.ts'
import type { Disk } from './disk.ts'
import type { CommitHow, DiskDriver, DriverFile, DriverWrite, Entry, Granted, ReadRange } from './driver.ts'
import type { DriverTree } from './driver-tree.ts'
import { readableOf } from './generic-calls.ts'

type Writable = Capability<'create' | 'modify' | 'rename'>

/** An open regular file; its opener must close it. */
export type OpenFile = DriverFile &
  Readonly<{
    /** That of the entry. */
    version: string
    /** The bytes, in chunks of at most 1 MiB; may be called more than once. Ends in FileShrunk when the file got shorter. */
    read(range?: ReadRange): Stream
  }>

export function openFileOf(file: DriverFile): OpenFile {
  return { ...file, version: file.entry.version, read: (range) => readableOf(file, range) }
}

/** Content that is being written in steps. */
export type PendingWrite = Omit<DriverWrite, 'commit'> &
  Readonly<{
    /** @param capability for the same path. Made afresh, the rights of this moment count, else those of the beginning. */
    commit(capability: Writable, how: CommitHow): Promise<Entry>
  }>

/** `capability`, `asked`: what it was begun with. `check`: of another one what is granted by it. */
type Begun = Readonly<{ capability: Writable; asked: Granted; check(capability: Writable): Granted }>

export function pendingWrite(write: DriverWrite, { capability: begun, asked, check }: Begun): PendingWrite {
  return {
    get name() {
      return write.name
    },
    get size() {
      return write.size
    },
    get isNamed() {
      return write.isNamed
    },
    append: (body, how) => write.append(body, how),
    sync: () => write.sync(),
    truncate: (bytes) => write.truncate(bytes),
    commit: async (capability, how) => {
      const at = capability === begun ? asked : check(capability)
      if (at.path !== asked.path) throw new TypeError('The capability is for another path')
      return write.commit(at, how)
    },
    discard: () => write.discard(),
    close: () => write.close(),
  }
}

/** A hidden folder that gets a name when all in it is whole. Its opener ends it. */
export type HiddenTree = Omit<DriverTree, 'driver' | 'give'> &
  Readonly<{
    /** The files in it, as if it had the name already. */
    disk: Disk
    /** The same, as if all in it were in the folder of the name. */
    around: Disk
    /** @param to see `DriverTree.give` */
    give(top: string | undefined, to: Capability<'create'>, onGiving: (identity: string) => Promise<void>): Promise<void>
  }>

type TreeParts = Readonly<{ diskIn(driver: DiskDriver): Disk; grant(to: Capability<'create'>): Granted }>

/** @param path what the paths of its own disk begin with */
export function openedTree(tree: DriverTree, path: Path, { diskIn, grant }: TreeParts): HiddenTree {
  return {
    disk: diskIn(new BelowPrefix(tree.driver, path)),
    around: diskIn(new BelowPrefix(tree.driver, parentOf(path))),
    give: (top, to, onGiving) => tree.give(top, grant(to), onGiving),
    end: () => tree.end(),
  }
}
