// What lasts of what people did: each act with the changes that it made, so that it can be undone. Files are the first form of it:
// `history-files.ts`.
import { type Static, Type } from 'typebox'
import { nameOf, type Path } from '../base/paths.ts'
import { ActKind, ActState } from '../contract/history.ts'

/**
 * Tells whether an entry is still the one that it was. `version`: of a file, which stands for its content too; '' of folders and links,
 * which are told by `identity`. Both are '' where the file system does not number its objects lastingly.
 */
export const Trace = Type.Object({ identity: Type.String(), version: Type.String() })
export type Trace = Readonly<Static<typeof Trace>>

/** Why a change cannot be undone. */
export const WhyLost = Type.Union([
  /** Deleted, or replaced, without a trash. */
  Type.Literal('forGood'),
  /** The content of what a link leads to. */
  Type.Literal('throughLink'),
  /** Folders were merged while they went to another file system. */
  Type.Literal('mergedAcross'),
])
export type WhyLost = Static<typeof WhyLost>

/**
 * One change, as things stand now: done or taken back, it says where its entry is and what would be the reverse. Paths are those of the
 * served root.
 */
export const Deed = Type.Union([
  /**
   * An entry is at a path, or with `item` in the trash, as `trace` says. `was`: its id when it was there, which it gets again; `as`: what
   * it was there, where its path does not say it: of which name in the same folder, and whether it was deleted or replaced.
   */
  Type.Object({
    what: Type.Literal('entry'),
    at: Type.String(),
    isDir: Type.Boolean(),
    trace: Trace,
    item: Type.Optional(Type.String()),
    was: Type.Optional(Type.String()),
    as: Type.Optional(Type.Object({ name: Type.String(), why: Type.Union([Type.Literal('delete'), Type.Literal('replace')]) })),
  }),
  /** A file has one of two contents; the other is in the trash. `was`: the id that the present one had there. */
  Type.Object({
    what: Type.Literal('content'),
    at: Type.String(),
    trace: Trace,
    item: Type.String(),
    was: Type.Optional(Type.String()),
  }),
  /** An entry has one of two paths. */
  Type.Object({
    what: Type.Literal('move'),
    at: Type.String(),
    from: Type.String(),
    isDir: Type.Boolean(),
    trace: Trace,
    /** The two are on different file systems. */
    isAcross: Type.Optional(Type.Boolean()),
    /** What told the entry at the other path, where it was another one: earlier acts know it by that. */
    other: Type.Optional(Trace),
    /** The way back to the other file system was begun: what a kill has left of it is gone on with. */
    isGoing: Type.Optional(Type.Boolean()),
    /** When that was, in milliseconds since the epoch by the system's clock. */
    goingAt: Type.Optional(Type.Number()),
    /** It has failed since: identifies what it has left at its end. */
    half: Type.Optional(Type.String()),
    /** Noted just before it was made: where the entry has the other path still, it was not. */
    isMeant: Type.Optional(Type.Boolean()),
    /** Noted before, it was not made: there is nothing to take back or to make again. */
    isNotMade: Type.Optional(Type.Boolean()),
  }),
  /**
   * A folder without its content is there, or with `isGone` not. `item`: it is in the trash, with all that the act has made in it: the
   * changes below its path stand as done, and are taken back.
   */
  Type.Object({
    what: Type.Literal('folder'),
    at: Type.String(),
    trace: Trace,
    /** Its mode and its time in nanoseconds, for when it is made again. */
    like: Type.Optional(Type.Object({ mode: Type.Integer(), modified: Type.String() })),
    isGone: Type.Optional(Type.Boolean()),
    item: Type.Optional(Type.String()),
  }),
  Type.Object({ what: Type.Literal('lost'), at: Type.String(), why: WhyLost }),
])
export type Deed<P extends string = string> =
  Static<typeof Deed> extends infer D
    ? D extends { from: string }
      ? Readonly<Omit<D, 'at' | 'from'> & { at: P; from: P }>
      : D extends { at: string }
        ? Readonly<Omit<D, 'at'> & { at: P }>
        : never
    : never

/**
 * A deed; a save that replaced what the same person had saved just before, of which nothing was kept: both are one deed; or that a move
 * which was noted before has failed.
 */
export type Change<P extends string = string> =
  | Deed<P>
  | Readonly<{
      what: 'savedAgain'
      at: P
      /** The version that was replaced. */
      before: string
      trace: Trace
    }>
  | Readonly<{ what: 'notMoved'; at: P; from: P }>

/** A change of an act, by its number; the last of a number counts. */
export const DeedLine = Type.Object({
  deed: Type.Integer({ minimum: 0 }),
  is: Deed,
  /** It was taken back. */
  isUndone: Type.Optional(Type.Boolean()),
  /** Of the first change of an entry that the person chose: its path, or '' when the change has the same. */
  chosen: Type.Optional(Type.String()),
})
export type DeedLine = Readonly<Static<typeof DeedLine>>

export const wasMade = ({ is }: DeedLine): boolean => is.what !== 'move' || is.isNotMade !== true

const Count = Type.Integer({ minimum: 0 })

/** What is in memory of each act. Times are milliseconds since the epoch. */
export const ActHead = Type.Object({
  /** 32 hexadecimal digits at random. */
  id: Type.String(),
  userId: Type.Integer(),
  /** Acts of a person are numbered in the order of their beginning. */
  number: Count,
  /** What its requests have in common. */
  key: Type.String(),
  kind: ActKind,
  /** Entries that the person chose, the names of the first few, and the folder of the first, in the served root. */
  chosen: Count,
  names: Type.Array(Type.String()),
  folder: Type.String(),
  /** How many changes are kept; with `isTooLarge` there were more, or some are lost. */
  deeds: Count,
  isTooLarge: Type.Optional(Type.Boolean()),
  /** Something went to another file system. */
  isAcross: Type.Optional(Type.Boolean()),
  startedAt: Type.Number(),
  /** Of its last change. */
  changedAt: Type.Number(),
  state: ActState,
  /** Whether further changes under the same key belong to it. */
  isOpen: Type.Boolean(),
  /** What was begun and has not ended: after a kill it can be continued. */
  begun: Type.Optional(Type.Union([Type.Literal('undo'), Type.Literal('redo')])),
  /** How often an undo or a redo was begun. */
  turns: Count,
  /** When it was undone: the number of the newest act of that time. A later one ends the offer to redo. */
  newest: Type.Optional(Count),
})
export type ActHead = Readonly<Static<typeof ActHead>>

/** Names of an act that are kept. */
const mostNames = 3

/** The head of an act with further changes. */
export function withLines(head: ActHead, lines: readonly DeedLine[]): ActHead {
  const chosen = lines.flatMap((line) => chosenIn(line) ?? [])
  const isAcross = head.isAcross || lines.some(({ is }) => is.what === 'move' && is.isAcross)
  return {
    ...head,
    chosen: head.chosen + chosen.length,
    names: [...head.names, ...chosen.map((path) => nameOf(path as Path))].slice(0, mostNames),
    deeds: head.deeds + lines.length,
    ...(isAcross && { isAcross }),
  }
}

/** The head of an act without its last change. */
export function withoutLast(head: ActHead, { chosen }: DeedLine): ActHead {
  const left = head.chosen - (chosen === undefined ? 0 : 1)
  return { ...head, deeds: head.deeds - 1, chosen: left, names: head.names.slice(0, left) }
}

/** The path of the entry that counts with a change. */
export function chosenIn({ chosen, is }: DeedLine): string | undefined {
  return chosen === '' ? is.at : chosen
}

/** A folder that was made again: what identified it, and what does now. */
export const Remade = Type.Object({ was: Type.String(), is: Type.String() })
export type Remade = Readonly<Static<typeof Remade>>

/** Everything may take long: another form of it may be on another machine. */
export interface HistoryStore {
  /** Call it once, before anything else. @param users everybody who is there: what is left of others is removed @returns the folders that were made again, the oldest first */
  open(users: readonly number[]): Promise<readonly Remade[]>
  /** The acts of a person, in the order of their numbers. */
  heads(userId: number): Promise<readonly ActHead[]>
  /** Adds an act, or replaces its head. @param isDurable whether it survives a power failure as soon as this resolves */
  setHead(head: ActHead, isDurable: boolean): Promise<void>
  /** The same of an act that is there, without keeping it: after a restart `withLines` tells it again from the changes. */
  growHead(head: ActHead): Promise<void>
  append(head: ActHead, lines: readonly DeedLine[]): Promise<void>
  /** The changes of some acts of a person, each in the order of their numbers. @param isShort only the first few of each, which cost less */
  deeds(userId: number, ids: readonly string[], isShort?: boolean): Promise<ReadonlyMap<string, readonly DeedLine[]>>
  remove(userId: number, id: string): Promise<void>
  /** Removes everything of a person. */
  removePerson(userId: number): Promise<void>
  /** Adds a folder that was made again. */
  addRemade(remade: Remade): Promise<void>
  close(): Promise<void>
}
