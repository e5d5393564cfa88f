// Who asks about uploads: a signed-in person, or who sends files by a request link.
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { UploadRecord } from '../state/upload-store.ts'

type PathOfRecord = Pick<UploadRecord, 'path'>

/** Who asks. Rights and paths are those of the moment at which they asked. */
export type Asker = Readonly<{
  /** Whose uploads they see: those with the same key. */
  key: string
  userId: number
  source: Source
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
  /** The path of an upload as they know it; undefined when it is outside of what they may reach. */
  pathOf(record: PathOfRecord): Path | undefined
  /** A path of theirs as one of the served root. */
  servedOf(path: Path): Path
  /** Their files. The operation owns the disk. */
  filesIn(operation: Operation): UserFiles
  /**
   * Their files for work that goes on when they have left. It is aborted with `withdrawn` when the right to it is lost.
   * @throws Failure('unauthorized' | 'forbidden' | 'notFound') when that has happened already
   */
  hold(operation: Operation, source: Source): Promise<AskerFiles>
}>

/** Files, and the paths in them: those of one moment. */
export type AskerFiles = Pick<Asker, 'pathOf' | 'servedOf'> & Readonly<{ files: UserFiles }>

/** @throws Failure('notFound') when it is outside of what they may reach */
export function pathFor({ pathOf }: Pick<Asker, 'pathOf'>, record: PathOfRecord): Path {
  const path = pathOf(record)
  if (path === undefined) throw new Failure('notFound')
  return path
}

export const rightLost = () => new Failure('forbidden', 'the right to this was withdrawn')
