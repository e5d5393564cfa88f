// What a file system says of itself and of what is in it, and what a folder tells while it is watched.

type InodeNumbers = Readonly<{ device: string; id: string; names: number; made: bigint; changed: bigint }>

/**
 * What a file system itself says of an object, of this moment. `id`: `<device>:<inode>`; `names`: its hard links. Nanoseconds since the
 * epoch: `made`, 0 where that is not known, and `changed`, when its content, its attributes or its names were changed last. `target`: of a
 * link, as it is written. `isBorn`: `made` is the time of its birth, by the clock of this machine.
 */
export type Inode = InodeNumbers & Readonly<{ isBorn?: boolean; target?: string }>

/**
 * Bytes of a file system; `free` are those that may still be written. `device`: tells it from others, where that is known. `freeEntries`:
 * how many more files and folders it takes, where it has a number of them.
 */
export type DiskUsage = Readonly<{ total: number; free: number; device?: string; freeEntries?: number | undefined }>

/** What a folder says of a name, without a look at what it names. */
export type NameKind = 'file' | 'folder' | 'link' | 'special'

/** What was created, removed or changed in a watched folder. */
export type ChangedNames = Readonly<{
  /** Each once. */
  names: readonly string[]
  /** Any other names may have changed too, or the folder itself. */
  hasOthers: boolean
}>

/** A folder that is watched until it is closed. */
export interface FolderWatch {
  /** Stands for the folder: the same for all paths and all disks, for as long as one watch of it is open. */
  readonly folder: symbol
  /** Whether every change is reported at once. Otherwise new and removed names are noticed late, and changed content is not. */
  readonly isComplete: boolean
  /** Waits until something has changed. @returns undefined when the folder is gone or the watch is closed */
  next(): Promise<ChangedNames | undefined>
  close(): void
}

/** See `DriverWrite.append`. */
export type AppendHow = Readonly<{ offset: number; onSynced?(size: number): void }>
