// How jobs, their questions and their paths are named, to people and in what is kept.
import { createHash } from 'node:crypto'
import { joined, nameOf, type Path, parsePath } from '../base/paths.ts'
import type { JobKind, Job as JobReport, NameEncoding, WhenTaken } from '../contract/jobs.ts'
import type { AskedUndo, JobHead, JobRecord } from '../state/job-store.ts'
import type { kinds } from './kinds.ts'

/** What a run is about. Paths are the person's own. */
export type RunRequest = Readonly<{
  kind: keyof typeof kinds
  entries: readonly Path[]
  to: Path | undefined
  taken: WhenTaken
  /** What differs from `taken`. */
  choices: ReadonlyMap<Path, WhenTaken>
  algorithm: string
  /** Of a removal: see `JobBody`. */
  trash?: boolean | undefined
  undo?: AskedUndo | undefined
  /** Folders of the served root that it changes, at least one on each device: where the entries are no paths. */
  places?: readonly string[] | undefined
  /** Of what makes an archive: what goes into it, and the name of its format. */
  sources?: readonly Path[] | undefined
  format?: string | undefined
  /** What the names in archives are. */
  names?: NameEncoding | undefined
}>

/** @returns '' when nothing is asked about the entry */
export function questionOf(entry: number, askedAt: number | undefined): string {
  return askedAt === undefined ? '' : `${entry}.${askedAt}`
}

/** The path of a person with a scope, of one of the served root. */
export function ownPath(served: string, scope: string): Path {
  const above = parsePath(scope)
  return parsePath(above === '/' ? served : served.slice(above.length) || '/')
}

/** What a job was asked for, with the person's own paths. */
export function ownRequest(
  { kind, entries, to, taken = 'ask', choices = {}, algorithm = '', trash, undo, places, sources, format, names }: JobRecord,
  scope: string,
): RunRequest {
  const own = (path: string) => ownPath(path, scope)
  return {
    ...{ kind, entries: entries.map(own), to: to === undefined ? undefined : own(to), taken, algorithm, trash, undo },
    ...(names && { names }),
    ...(places && { places }),
    ...(sources && { sources: sources.map(own), format }),
    choices: new Map(Object.entries(choices).map(([path, choice]) => [own(path), choice])),
  }
}

/** How an entry is named to people: one of the trash by its id. */
export function shownEntry(kind: JobKind, path: Path): string {
  return isOfTrash(kind) ? nameOf(path) : path
}

/** Whether the entries of a job are those of the trash. Their ids are kept as paths. */
export function isOfTrash(kind: JobKind): boolean {
  return kind === 'restore' || kind === 'purge'
}

/** The path in the served root. */
export function servedPath(own: Path, scope: string): Path {
  return joined(parsePath(scope), own)
}

/** The id that the client made. */
export function clientIdOf(key: string): string {
  return key.split('-').slice(2).join('-')
}

/** The key under which a job is kept. @param id made by the client @param instance of the state */
export function keyOf(instance: string, userId: number, id: string): string {
  return `${instance}-${userId}-${id}`
}

/** A job, as lists and pages know it. */
export function reportOf(head: JobHead, progress: JobReport['progress']): JobReport {
  const { key, kind, state, scope, first = scope, to, act, redo, trash, entries, startedAt, changedAt } = head
  const { done, failed, skipped, asked = 0, unchanged = 0 } = head
  const about = {
    first: ownPath(first, scope),
    ...(to !== undefined && { to: ownPath(to, scope) }),
    ...(act !== undefined && { act }),
    ...(redo && { redo }),
    ...(trash !== undefined && { trash }),
  }
  const counts = { entries, done, failed, skipped, asked, ...(unchanged > 0 && { unchanged }) }
  return { id: clientIdOf(key), kind, state, ...about, ...counts, startedAt, changedAt, ...(progress && { progress }) }
}

/** Stands for what a request asks for. */
export function digestOf({
  kind,
  entries,
  isAll,
  to,
  taken,
  choices,
  ...of
}: RunRequest & { isAll?: boolean | undefined }): string {
  const { algorithm, trash, undo, sources, format, names } = of
  const asked = [kind, isAll ? 'all' : entries, to, taken, [...choices], algorithm, trash, undo, sources, format, names]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}
