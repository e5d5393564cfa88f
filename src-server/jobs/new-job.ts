// What is kept of a job that begins.
import { type Path, parsePath } from '../base/paths.ts'
import type { JobHead, JobRecord } from '../state/job-store.ts'
import type { BegunAccess } from '../users/access-revocation.ts'
import { type RunRequest, servedPath } from './names.ts'

/** A job that is asked for. */
export type JobRequest = RunRequest &
  Readonly<{
    id: string
    /** The entries are all that there were when it was asked for: they do not tell it from another request under its id. */
    isAll?: boolean
    /** What people see of it; the first entry by default. */
    first?: Path | undefined
  }>

/** Whose job it is, and from where it was started. */
export type JobOwner = Readonly<{ access: BegunAccess; address: string; isAct?: boolean }>

export function headOf(
  { access }: JobOwner,
  { kind, entries, first = entries[0] as Path, to, undo, trash }: JobRequest,
  { now, ...named }: Pick<JobHead, 'key' | 'digest'> & Readonly<{ now: number }>,
): JobHead {
  const served = (path: Path) => servedPath(path, access.scope)
  const counts = { entries: entries.length, done: 0, failed: 0, skipped: 0, asked: 0 }
  const places = {
    first: served(first),
    ...(to !== undefined && { to: served(to) }),
    ...(undo && { act: undo.act }),
    ...(undo?.redo && { redo: true as const }),
    ...(trash !== undefined && { trash }),
  }
  return { ...named, ...access, kind, ...places, state: 'waiting', ...counts, startedAt: now, changedAt: now }
}

export function recordOf({ access, address, isAct }: JobOwner, request: JobRequest, key: string, startedAt: number): JobRecord {
  const { kind, entries, first, places, to, taken, choices, algorithm, trash, undo, sources, format, names } = request
  const served = (path: Path) => servedPath(path, access.scope)
  return {
    ...{ key, kind, ...access, address, startedAt, taken, algorithm },
    // Undoing is no act of its own.
    ...(isAct && !undo && { isAct }),
    ...(trash !== undefined && { trash }),
    ...(undo && { undo }),
    ...(sources && { sources: sources.map(served) }),
    ...{ ...(format !== undefined && { format }), ...(names && { names }) },
    entries: entries.map((path) => served(parsePath(path))),
    ...(first !== undefined && { first: served(first) }),
    ...(places && { places: [...places] }),
    ...(to !== undefined && { to: served(to) }),
    ...(choices.size > 0 && { choices: Object.fromEntries([...choices].map(([path, choice]) => [served(path), choice])) }),
  }
}
