// An entry of a trash, and how something becomes one.
import { randomBytes } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'

/** An entry in a trash. */
export type TrashedItem = Readonly<{
  /** 32 hexadecimal digits at random. */
  id: string
  /** The folder of the host in which the trash is, the name of the user's own folder in it, and the entry's name there. */
  top: string
  owner: string
  name: string
  /** The path from the served root that it had. */
  path: Path
  isDir: boolean
  /** Bytes of a file or a link; undefined of a folder. */
  size: number | undefined
  /** Milliseconds since the epoch: when it was changed last; undefined where that is not known. */
  modified?: number | undefined
  /** Milliseconds since the epoch. */
  at: number
  /** Whether it was deleted, or another entry took its place. */
  why: 'delete' | 'replace'
  by: Readonly<{ id: number; name: string }>
  /** As those of `identify`, of the folders that it was in, the served root first. */
  above: readonly string[]
  /** As that of `identify`. */
  identity: string
}>

export type TrashHow = Readonly<{
  /** The name of the user's own folder in a trash. */
  owner: string
  by: Readonly<{ id: number; name: string }>
  /** Milliseconds since the epoch. */
  at: number
  /** Called as that of `MoveHow`. */
  check?(truly: Readonly<{ from: Path }>): Promise<unknown>
  /** Its name in the same folder and why it is in the trash, where it was restored from there and goes back. */
  as?: Readonly<{ name: string; why: TrashedItem['why'] }> | undefined
  /** That of the item; without it one at random. */
  id?: string | undefined
  /** Called before a trash is made or used there. @returns when that is recorded durably, and what a kill had interrupted there has ended */
  notePlace(place: TrashPlace): Promise<void>
}>

/** `onKept` is told what was kept, once it was replaced. `unlessVersion`: nothing is kept of this version. */
export type KeepHow = TrashHow &
  Readonly<{
    onKept?: ((item: TrashedItem) => void) | undefined
    unlessVersion?: string | undefined /** What cannot be kept is not replaced: NoTrash. */
    isRequired?: boolean
  }>

/** The trash of one user in one folder of the host. */
export type TrashPlace = Readonly<
  Pick<TrashedItem, 'top' | 'owner'> & {
    /** The path of the folder from the served root, and as that of `identify`: with another one its disk is not connected. */
    topPath: Path
    topIdentity: string
  }
>

/**
 * What a kill may have interrupted in a trash. `changes`: what was put into it or put back, of which one of two names is removed, and
 * information without an entry; nobody else of this state may use it meanwhile. `purges`: what was being removed for good, which may take long.
 */
export type TidyPart = 'changes' | 'purges'

/**
 * `known`: names of which nothing is read. `unless`: the stamp of an earlier answer, with which nothing is read. `most`: of another
 * installation, of whose content nothing is believed: so many entries at the most, and their paths as paths of this served root. `only`: the
 * name of one entry, of which it is told whether it is there, and nothing else.
 */
export type TrashRead = Readonly<{
  known?: Pick<ReadonlySet<string>, 'has'>
  unless?: string | undefined
  most?: number
  only?: string
}>

/**
 * What a trash has now. `names`: those of all its entries; `items`: the entries that were not known before. `stamp` changes with the
 * names; '' when that cannot be told, and undefined where there is no trash. `isSame`: it is that of before, and nothing was read.
 */
export type TrashFound = Readonly<{ names: ReadonlySet<string>; items: readonly TrashedItem[]; stamp?: string; isSame?: boolean }>

/**
 * Something in an entry of a trash: its path from the entry ('' for itself), and bytes of a file. `room`: bytes that the disk gets back
 * with the last of its `names`; `id`: tells it from other files.
 */
export type TrashedPart = Readonly<{ path: string; isDir: boolean; bytes: number; room: number; names: number; id: string }>

/** See `TrashedItem.modified`. */
export function modifiedOf({ mtimeNs }: Readonly<{ mtimeNs: bigint }>): number {
  return Number(mtimeNs / 1_000_000n)
}

/** 128 random bits, by which nobody finds an entry who was not told of it. */
export function newItemId(): string {
  return randomBytes(16).toString('hex')
}

/** An entry cannot go into a trash; it can still be deleted for good. */
export class NoTrash extends Failure {
  constructor(reason: string, options?: ErrorOptions) {
    super('conflict', 'there is no trash for this: {{reason}}', { ...options, about: { reason } })
    this.name = 'NoTrash'
  }
}

/** Why something stays in the trash: its folder lay on the file system of the trash when it was deleted. */
export const mountedSince = 'a file system was mounted at its folder since; it can be put back when that is unmounted'
