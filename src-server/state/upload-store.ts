// What lasts of unfinished uploads: where each goes, and how much of it is on the disk. Files are the first form of it: `upload-files.ts`.
import { type Static, Type } from 'typebox'

const Count = Type.Integer({ minimum: 0 })
const Versions = Type.Union([Type.Literal('any'), Type.Array(Type.String())])

/** Times are milliseconds since the epoch. */
export const UploadRecord = Type.Object({
  /** 32 hexadecimal digits at random. They are in the hidden name of the content. */
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  userId: Type.Integer(),
  /** Where the file goes: a path of the served root. */
  path: Type.String(),
  /** Where it is when the move of its folder is done that was begun. */
  movingTo: Type.Optional(Type.String()),
  /** Bytes of the whole; unknown until the client says it. */
  length: Type.Optional(Count),
  /** A file with the name is replaced. */
  override: Type.Optional(Type.Literal(true)),
  /** What must hold of a file with the name: see `VersionCondition`. */
  condition: Type.Optional(Type.Object({ match: Type.Optional(Versions), noneMatch: Type.Optional(Versions) })),
  /** The header of the client as it came. */
  metadata: Type.Optional(Type.String()),
  /** Of a file that somebody sends by a request link. */
  request: Type.Optional(
    Type.Object({
      /** Of the link. */
      hash: Type.String(),
      /** The id of who sends it. */
      sender: Type.String({ minLength: 1 }),
      /** As the sender knows it, with its folders. The name that it gets may have a number. */
      name: Type.String({ minLength: 1 }),
      /** The address of the sender, or its network. */
      source: Type.String(),
      /** Whether it goes into a folder of the sender, which is in that of the link. */
      hasFolder: Type.Optional(Type.Literal(true)),
    }),
  ),
  /** See `Source`. */
  actKey: Type.Optional(Type.String()),
  /** What identifies the folders that were made for it. */
  made: Type.Optional(Type.Array(Type.String())),
  startedAt: Type.Number(),
  /** When the last bytes came, or else `startedAt`. */
  changedAt: Type.Number(),
  /** Bytes that are durable: nothing else is ever acknowledged. */
  offset: Count,
  /** Whether each byte was compared with a checksum of the client. */
  isCompared: Type.Boolean(),
  /** The version that the file has once it is named, known before that: a start tells by it whether it was. */
  sealed: Type.Optional(Type.String()),
  /** Why it has not got its name. */
  refused: Type.Optional(
    Type.Object({
      code: Type.String(),
      /** The sentence, with `{{name}}` for each parameter. */
      template: Type.String(),
      about: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
  /** It is over, and is removed when its folder comes back from the trash, or goes for good. */
  ended: Type.Optional(Type.Literal(true)),
  /** When it got its name. */
  finishedAt: Type.Optional(Type.Number()),
})
export type UploadRecord = Readonly<Static<typeof UploadRecord>>

/** Keeps uploads. Each method may fail with the errno of what failed. */
export interface UploadStore {
  /** All records, once, before anything else is called. */
  open(): Promise<UploadRecord[]>
  /** Adds a record, or replaces the one with its id; durable when it resolves. */
  set(record: UploadRecord): Promise<void>
  /** One that is not there is no error. */
  remove(id: string): Promise<void>
}
