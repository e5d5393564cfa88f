// Writes a body that arrives to a file.
import type { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import type { CommitHow, Entry, TrashedItem } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import { noteLost, noteWritten } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { roomAt, whileReserved } from './room.ts'
import { type FileContext, keepingOf } from './walk.ts'

export type Body = AsyncIterable<Uint8Array>

/**
 * `check` gets what has the name, and says how it may be replaced; `follows`: a link at the end of the path. `bytes`: of the body, where
 * that is known before it arrives.
 */
export type Put = Readonly<{
  kind: 'upload' | 'save'
  path: Path
  capability: Capability<'create' | 'modify'>
  follows: boolean
  bytes?: number | undefined
  check(taken: Entry | undefined): CommitHow
}>

export type PutParts = Readonly<{
  context: FileContext
  /** Throws when the file may no longer be written. */
  revalidate?: (() => void) | undefined
  /** Tells the listeners of a change. @param act with the paths of the principal */
  announce(
    act: FileAct,
    work: (context: FileContext) => Promise<Entry>,
    learned: (entry: Entry) => Partial<FileAct>,
  ): Promise<Entry>
}>

/** Looks at the path once: what the check allows is written where it led. */
export async function put({ context: parts, revalidate, announce }: PutParts, body: Body, asked: Put): Promise<Entry> {
  const { kind, path, capability, follows, check, bytes = 0 } = asked
  const { disk, signal, principal } = parts
  const content = revalidated(body, revalidate)
  const left = { bytes }
  const onWritten = (written: number) => {
    left.bytes -= written
  }
  const onFullDisk = { makeRoom: roomAt(parts, path, left), onWritten }
  let how: CommitHow | undefined
  let replaced: Entry | undefined
  const onPresent = (taken: Entry | undefined) => {
    how = check(taken)
    replaced = taken
  }
  const begin = disk.beginWrite(capability, { replace: follows, check: onPresent, ...onFullDisk }, signal)
  // What fails after the check fails again below, where the listeners are told.
  const begun = await begin.catch((error: unknown) => {
    if (how || isMissing(error)) return undefined
    throw error
  })
  const save = parts.trash?.trash.saves.begin(principal.userId, kind === 'save')
  let item: TrashedItem | undefined
  const onKept = (kept: TrashedItem) => {
    item = kept
    save?.kept()
  }
  const keeping = keepingOf(parts, path, { onKept, unlessVersion: save?.unlessVersion })
  const allowed = { ...(how ?? check(undefined)), ...keeping, ...onFullDisk }
  const writeNow = async (context: FileContext) => {
    if (begun) return begun.append(content, { offset: 0 }).then(() => begun.commit(capability, allowed))
    if (kind === 'upload') await ensureFolder(context, parentOf(path))
    return disk.write(capability, content, allowed, signal)
  }
  const write = async (context: FileContext) => {
    const entry = await writeNow(context)
    const isAgain = replaced !== undefined && replaced.version === save?.unlessVersion
    const again = isAgain ? save?.unlessVersion : undefined
    if (entry.isSymlink) noteLost(context, path, 'throughLink')
    else await noteWritten(context, entry, { isTaken: replaced !== undefined, item, again })
    return entry
  }
  try {
    const work = () => announce({ kind, path, isDir: false }, write, written)
    const entry = await whileReserved(parts, path, { left, work })
    save?.end(entry.version)
    return entry
  } finally {
    await begun?.discard()
  }
}

/** The fields of an event from a written file. */
const written = ({ size }: Entry) => ({ bytes: size })

/** The same content. What is withdrawn while it arrives is noticed before the file gets its name. */
async function* revalidated(body: Body, revalidate: () => void = () => {}): AsyncGenerator<Uint8Array, void, undefined> {
  yield* body
  revalidate()
}

function isMissing(error: unknown) {
  return error instanceof Failure && error.code === 'notFound'
}
