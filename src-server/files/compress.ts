// Makes an archive of entries in a file of the same person.
import { archiveFormat } from '../archives/formats.ts'
import type { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { FileAct } from '../events/events.ts'
import { prepareArchive } from './archive.ts'
import { noteWritten } from './deeds.ts'
import { notingAgain } from './replaced.ts'
import type { Step } from './steps.ts'
import { entryAt, type FileContext } from './walk.ts'
import type { FileWriting } from './writing.ts'

export type CompressHow = Readonly<{
  sources: readonly Path[]
  /** The name of a format; zip without one. */
  format?: string | undefined
  /** What `onSealed` was told by work that broke off. */
  sealedBefore?: string | undefined
  /** Told the version that the archive will have, once its content is durable and before it gets its name. */
  onSealed(version: string): Promise<void>
}>

/** With its dot. @throws Failure('invalid') for a format that is not known */
export const archiveEnding = (format: string | undefined): string => archiveFormat(format).ending

type CompressParts = Readonly<{
  context: FileContext
  operation: Operation
  writing: FileWriting
  /** Keeps what is changed with the act of the person. */
  note(act: FileAct, work: Step['run']): Promise<unknown>
}>

/**
 * What cannot be read is left out and named in a last entry. Nothing has the name before the archive is whole.
 * @throws Failure('conflict') when the name is taken, Failure('changed') when a file changes while it is packed, as `prepareArchive`
 */
export async function compress(parts: CompressParts, to: Path, how: CompressHow): Promise<void> {
  const { context, operation, writing } = parts
  const { sources, format, onSealed } = how
  const act = { kind: 'compress', path: sources[0] ?? to } as const
  if (await noteCompressed(parts, to, how)) return
  const archive = await prepareArchive(context, operation, { paths: sources, format })
  await writing.make(to, archive.pack(), { ...act, onSealed })
}

/** Notes an archive that has got its name before the work broke off. @returns whether it has */
export async function noteCompressed(
  { context, writing, note }: CompressParts,
  to: Path,
  { sources, sealedBefore = '' }: Pick<CompressHow, 'sources' | 'sealedBefore'>,
): Promise<boolean> {
  if (sealedBefore === '' || !(await writing.isFinished(to, sealedBefore))) return false
  await note({ kind: 'compress', path: sources[0] ?? to, to, isDir: false }, (doing = context) => noteMade(doing, to))
  return true
}

/** Notes what a kill may have kept from being noted. */
async function noteMade(context: FileContext, path: Path): Promise<void> {
  const made = await entryAt(context, path)
  if (made) await noteWritten(notingAgain(context), made, { isTaken: false, item: undefined })
}
