// What is known of a request link besides its record: who has sent what. Files are the first form of it: `request-files.ts`.
import { type Static, Type } from 'typebox'
import type { LinePlace, PlacedEntry } from './placed-lines.ts'

const Id = Type.String({ minLength: 1 })
/** Milliseconds since the epoch. */
const Time = Type.Number()

const SenderLine = Type.Object({
  is: Type.Literal('sender'),
  id: Id,
  /** As it was typed. */
  name: Type.Optional(Type.String()),
  at: Time,
  /** The IP address of the first request. */
  address: Type.String(),
})

/** The folder of a sender from now on: a child of that of the link. */
const FolderLine = Type.Object({
  is: Type.Literal('folder'),
  sender: Id,
  name: Type.String({ minLength: 1 }),
  /** As `Disk.identify` says it; '' is not compared. */
  identity: Type.String(),
  /** It is about to be made. */
  isPlanned: Type.Optional(Type.Literal(true)),
  /** The folder of the link at that time, in the served root: without its link nothing else tells where an empty folder is. */
  within: Type.Optional(Type.String({ pattern: '^/' })),
})

/** A file that has its name. */
const ArrivalLine = Type.Object({
  is: Type.Literal('arrival'),
  /** The id of its upload: a second line with it says nothing new. */
  upload: Id,
  sender: Id,
  /** As the sender knows it, with its folders. */
  name: Id,
  /** Where it is in the folder of the sender, or of the link where there is none: where that is not its name. */
  as: Type.Optional(Id),
  /** In the served root, when it arrived: of one that came elsewhere, and in lines of before `as`. */
  path: Type.Optional(Type.String({ pattern: '^/' })),
  size: Type.Integer({ minimum: 0 }),
  /** How many were made for it. */
  folders: Type.Optional(Type.Integer({ minimum: 1 })),
  version: Type.String(),
  at: Time,
})

/** The checksum of a file that has arrived. */
const SumLine = Type.Object({ is: Type.Literal('sum'), upload: Id, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })

const ReceiptLine = Type.Object({
  is: Type.Literal('receipt'),
  sender: Id,
  number: Id,
  at: Time,
  /** The ids of the uploads that it is about. */
  uploads: Type.Array(Id),
})

/** The link was deleted, and empty folders of its senders were removed after a kill. */
const TidiedLine = Type.Object({ is: Type.Literal('tidied') })

export const RequestLine = Type.Union([SenderLine, FolderLine, ArrivalLine, SumLine, ReceiptLine, TidiedLine])
export type RequestLine = Readonly<Static<typeof RequestLine>>
export type LineOf<K extends RequestLine['is']> = Extract<RequestLine, { is: K }>

export type PlacedLine = PlacedEntry<RequestLine>

/** Keeps what is known of request links, by their hash. Each method may fail with the errno of what failed. */
export interface RequestStore {
  /** Those of which something is known, also where the links were deleted. */
  hashes(): Promise<string[]>
  /** All lines, the oldest first, some at a time; none when nothing is known. */
  read(hash: string): AsyncIterable<readonly PlacedLine[]>
  /** Lines at their places. */
  readAt(hash: string, places: readonly LinePlace[]): Promise<RequestLine[]>
  /** Durable when it resolves. @returns where the line is */
  append(hash: string, line: RequestLine): Promise<LinePlace>
  /** What is not there is no error. */
  remove(hash: string): Promise<void>
  /** Removes what is kept of links that are not known, and was written before a moment: a backup of the state may come back. */
  removeUnknown(isKnown: (hash: string) => boolean, before: number): Promise<void>
  close(): Promise<void>
}
