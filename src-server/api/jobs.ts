// Jobs: work that goes on without the page that has begun it.
import type { FastifyInstance } from 'fastify'
import { Failure, inField, refusedField } from '../base/failure.ts'
import { nameOf, type Path, parentOf, parsePath, rootPath } from '../base/paths.ts'
import { mapYielding } from '../base/yield-to-event-loop.ts'
import type { Body } from '../contract/endpoints.ts'
import { JobKind, mostEntries, type NameEncoding, nameEncodings, WhenTaken } from '../contract/jobs.ts'
import { checksumAlgorithm } from '../files/checksum.ts'
import { archiveEnding } from '../files/compress.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { JobRequest } from '../jobs/jobs.ts'
import { isOfTrash } from '../jobs/names.ts'
import type { JobAct } from '../jobs/own-jobs.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'

/** Registers the calls of jobs. */
export function jobCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'POST /api/jobs', async ({ jobs, files, body, operation, reply }) => {
    const request = await requestIn(body, operation.signal)
    const about = request.isAll ? await allIn(files, operation.signal) : await placesIn(request, files)
    const { details, hasEnded } = await jobs.start({ ...request, ...about })
    reply.code(hasEnded ? 200 : 202)
    return details
  })

  endpoint(app, api, 'GET /api/jobs', async ({ jobs }) => ({ jobs: jobs.list() }))

  endpoint(app, api, 'GET /api/jobs/:id', ({ jobs, params }) => jobs.details(params.id))

  endpoint(app, api, 'PATCH /api/jobs/:id', ({ jobs, params, body }) => jobs.act(params.id, actIn(body)))

  endpoint(app, api, 'DELETE /api/jobs/:id', async ({ jobs, params, reply }) => {
    await jobs.remove(params.id)
    return done(reply)
  })
}

const namesOf = (schema: typeof JobKind | typeof WhenTaken): string[] => schema.anyOf.map((one) => one.const)

/** @throws Failure('invalid') with the field that is not right, and what would be */
async function requestIn(body: Body<'POST /api/jobs'>, signal: AbortSignal): Promise<JobRequest> {
  const { id = '', kind = '', entries: named = [], all: isAll = false, to, algorithm = 'sha256' } = body
  if (!/^[A-Za-z0-9_-]{8,64}$/.test(id)) throw refusedField('id', 'has 8 to 64 letters, digits, hyphens and underscores')
  if (!isOneOf(JobKind, kind)) throw refusedField('kind', `is one of ${namesOf(JobKind).join(', ')}`)
  if (isAll && (kind !== 'purge' || named.length > 0)) throw refusedField('all', 'goes with a purge that names no entries')
  const hasTarget = ['copy', 'move', 'compress', 'extract'].includes(kind)
  if (hasTarget && typeof to !== 'string') throw refusedField('to', 'is the path of a folder')
  if (kind === 'checksum') inField('algorithm', () => checksumAlgorithm(algorithm))
  const undo = kind === 'undo' ? undoIn(body) : undefined
  const target = hasTarget ? inField('to', () => parsePath(to ?? '')) : undefined
  const entries = undo ? [rootPath] : isAll ? [] : [...new Set(await pathsIn(named, { isOfTrash: isOfTrash(kind), signal }))]
  const archive = kind === 'compress' && target ? archiveIn(body, target, entries) : undefined
  return {
    id,
    kind,
    entries,
    isAll,
    to: target,
    taken: kind === 'extract' || archive ? numberIn(body) : takenIn(body.taken ?? 'ask'),
    choices: choicesIn(body.choices ?? {}, kind),
    algorithm,
    ...(kind === 'delete' && body.trash !== undefined && { trash: body.trash }),
    ...(undo && { undo }),
    ...(kind === 'extract' && { names: encodingIn(body.names) }),
    ...archive,
  }
}

/** @throws Failure('invalid') */
function choicesIn(choices: Readonly<Record<string, unknown>>, kind: JobRequest['kind']): JobRequest['choices'] {
  const all = Object.entries(choices)
  if (all.length > mostEntries) throw refusedField('choices', 'has more than {{number}} entries', { number: mostEntries })
  return new Map(
    all.map(([path, taken]) => [inField('choices', () => parsePath(isOfTrash(kind) ? `/${path}` : path)), takenIn(taken)]),
  )
}

/** An archive of some entries in a folder. @throws Failure('invalid') */
function archiveIn(
  { name = '', format }: Body<'POST /api/jobs'>,
  to: Path,
  sources: readonly Path[],
): Pick<JobRequest, 'entries' | 'sources' | 'format'> {
  const ending = inField('format', () => archiveEnding(format))
  if (!name.endsWith(ending) || name.includes('/')) throw refusedField('name', 'is a name that ends in {{ending}}', { ending })
  const path = inField('name', () => parsePath(`${to}/${name}`))
  if (parentOf(path) !== to) throw refusedField('name', 'is a name that ends in {{ending}}', { ending })
  return { entries: [path], sources, format: format ?? 'zip' }
}

/** @throws Failure('invalid') */
function encodingIn(names: string | undefined): NameEncoding | undefined {
  const known = nameEncodings.find((one) => one === names)
  if (names !== undefined && !known) throw refusedField('names', `is one of ${nameEncodings.join(', ')}`)
  return known
}

/** @throws Failure('invalid') */
function undoIn({ act = '', redo = false, rest = false }: Body<'POST /api/jobs'>): NonNullable<JobRequest['undo']> {
  if (!/^[0-9a-f]{32}$/.test(act)) throw refusedField('act', 'is the id of an act')
  return { act, redo, rest }
}

/** What people see of a job of the trash, which is where its first entry was, and the folders of all. */
async function placesIn({ kind, entries }: JobRequest, files: UserFiles): Promise<Pick<JobRequest, 'first' | 'places'>> {
  if (!isOfTrash(kind)) return {}
  const places = new Set<string>()
  let first: Path | undefined
  for (const entry of entries) {
    const seen = await files.trash.seen(nameOf(entry)).catch(() => undefined)
    first ??= seen?.path ?? rootPath
    if (seen) places.add(parentOf(seen.item.path))
  }
  return { first, places: [...places] }
}

/** All of the trash that the person may delete for good at this moment. @throws Failure('forbidden') */
async function allIn(files: UserFiles, signal: AbortSignal): Promise<Pick<JobRequest, 'entries' | 'first' | 'places'>> {
  files.trash.assertMay('delete')
  const seen = await files.trash.purgeable()
  const places = new Set<string>()
  const entries = await mapYielding(
    seen,
    ({ item }) => {
      places.add(parentOf(item.path))
      return parsePath(`/${item.id}`)
    },
    signal,
  )
  return { entries, first: seen[0]?.path ?? rootPath, places: [...places] }
}

type EntriesHow = Readonly<{ isOfTrash: boolean; signal: AbortSignal }>

/** @returns ids of the trash as paths, as jobs keep them */
async function pathsIn(entries: readonly unknown[], { isOfTrash: areIds, signal }: EntriesHow): Promise<Path[]> {
  if (entries.length === 0) throw refusedField('entries', 'must not be empty')
  if (entries.length > mostEntries) throw refusedField('entries', 'has more than {{number}} entries', { number: mostEntries })
  return mapYielding(
    entries,
    (entry) => {
      if (typeof entry !== 'string') throw refusedField('entries', 'must hold only strings')
      if (areIds && !/^[\w-]+$/.test(entry)) throw refusedField('entries', 'must hold ids of the trash')
      return inField('entries', () => parsePath(areIds ? `/${entry}` : entry))
    },
    signal,
  )
}

/** Of what is never merged with what is there, and never replaces it. */
function numberIn({ taken = 'number', choices }: Body<'POST /api/jobs'>): WhenTaken {
  if (taken !== 'number' || choices) throw refusedField('taken', 'is one of number')
  return taken
}

function takenIn(taken: unknown): WhenTaken {
  if (typeof taken === 'string' && isOneOf(WhenTaken, taken)) return taken
  throw refusedField('taken', `is one of ${namesOf(WhenTaken).join(', ')}`)
}

/** @throws Failure('invalid') */
function actIn({ action = '', question, taken, all = false }: Body<'PATCH /api/jobs/:id'>): JobAct {
  if (action === 'answer') {
    if (question === undefined) throw refusedField('question', 'is that of a question of the job')
    const how = takenIn(taken ?? '')
    if (how === 'ask') throw refusedField('taken', 'is one of number, replace, skip')
    return { action, question, taken: how, all }
  }
  const known = (['pause', 'resume', 'continue', 'cancel', 'retry'] as const).find((one) => one === action)
  if (!known)
    throw new Failure('invalid', '{{field}} is one of pause, resume, continue, cancel, retry, answer', {
      about: { field: 'action' },
    })
  return { action: known }
}

function isOneOf<S extends typeof JobKind | typeof WhenTaken>(schema: S, text: string): text is S['anyOf'][number]['const'] {
  return namesOf(schema).includes(text)
}
