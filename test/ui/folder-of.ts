// A server with folders in memory, with the calls that the commands of the listing use.

import type { TestContext } from 'node:test'
import type { Static } from 'typebox'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { ResourceItem } from '../../src-server/contract/files.ts'
import type { JobBody as JobBodySchema, JobDetails } from '../../src-server/contract/jobs.ts'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { address } from '../../src-ui/core/location.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { user } from '../../src-ui/core/session.ts'
import { listingSlice } from '../../src-ui/listing/listing.ts'
import { clipboardSlice } from '../../src-ui/operations/clipboard.ts'
import { operationsPart } from '../../src-ui/operations/lazy-operations.ts'
import { tokenOf } from './answering.ts'
import { file, folder, resourceOf } from './entries.ts'
import { FolderHistory, type Noted } from './history-of.ts'
import { workspace } from './workspace.ts'

const notices = workspace.use(noticesSlice)
const overlays = workspace.use(overlaysSlice)
const listing = workspace.use(listingSlice)
const clipboard = workspace.use(clipboardSlice)

type JobBody = Static<typeof JobBodySchema>
type Change = { method: string; path: string; query: Record<string, string>; body: unknown }
type Refusals = Record<string, number>

export type Folders = {
  /** The requested changes, in order: `DELETE /a.txt`, `copy /a.txt /b/a.txt rename`. */
  asked: string[]
  /** What each of them was sent with, to be undone as one. */
  acts: (string | null)[]
  history: FolderHistory
  /** The acts that jobs were to undo, or to do again. */
  undoneByJobs: string[]
  /** The status of each change that is refused: `DELETE /a.txt` → 403. */
  refusals: Refusals
  /** Changes that are made and whose answer is lost. */
  lost?: readonly string[]
  /** The names in each folder, by its path; a name that ends in a slash is a folder. */
  stand: Record<string, string[]>
  /** What was deleted, by its id in the trash; without it there is no trash, and calls for it are refused. */
  trash?: Record<string, string>
  /** Answers to changes are delayed until this is resolved. */
  held?: Promise<void>
  /** Listings are delayed until this is resolved. */
  heldListings?: Promise<void>
  /** Jobs are cancelled after so many entries. */
  cancelledAfter?: number
  /** The session has ended: every call is refused until somebody signs in. */
  isSignedOut?: boolean
  close(): void
}

export const ann: TokenUser = {
  id: 1,
  username: 'ann',
  locale: '',
  viewMode: 'list',
  sorting: { by: 'name', asc: true },
  perm: { ...allPermissions },
  commands: [],
  lockPassword: false,
}

/** Selects the entries with these paths. */
export function pick(...paths: string[]): void {
  listing.selection.value = { keys: new Set(paths), focus: paths.at(-1) }
}

export const entries = (...names: string[]) => listing.sortedEntries.value.entries.filter(({ name }) => names.includes(name))
export const shown = () => listing.sortedEntries.value.entries.map(({ name }) => name)
export const chosen = () => listing.selected.value.map(({ name }) => name)
/** The notices: `error: what: why`. */
export const said = () => notices.list.value.map(({ kind, text, detail }) => [kind, text, detail].filter(Boolean).join(': '))

/** Resolves when all work that waits for no timer is done. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Replaces `fetch`, signs ann in and loads the root folder. */
export async function startFolders(stand: Record<string, string[]>): Promise<Folders> {
  const reach = globalThis.fetch
  const folders: Folders = {
    asked: [],
    undoneByJobs: [],
    acts: [],
    history: new FolderHistory(),
    refusals: {},
    stand,
    close: overlays.close,
  }
  function closeAll() {
    overlays.close()
    listing.reset()
    clipboard.content.value = undefined
    notices.list.value = []
    user.value = null
    address.value = { pathname: '/', search: '' }
    globalThis.fetch = reach
  }
  folders.close = closeAll
  globalThis.fetch = (async (address: string, init: RequestInit = {}) => {
    const answered = answer(folders, address, init)
    await (init.method !== 'GET' ? folders.held : address.startsWith('/api/resources') && folders.heldListings)
    return answered
  }) as typeof fetch
  address.value = { pathname: '/files/', search: '' }
  user.value = ann
  notices.list.value = []
  await listing.load('/')
  return folders
}

/** The operations are not loaded, and cannot be until the end of the test. @returns what ends it before */
export function withoutOperations(context: TestContext): () => void {
  const { value } = operationsPart
  const loaded = value.peek()
  value.value = undefined
  const missing = context.mock.method(operationsPart, 'load', () => Promise.reject(new TypeError('Failed to fetch')))
  const end = () => {
    value.value ??= loaded
    missing.mock.restore()
  }
  context.after(end)
  return end
}

function answer(folders: Folders, address: string, init: RequestInit): Response {
  const before = structuredClone(keptIn(folders))
  const asked = folders.asked.length
  try {
    return answerTo(folders, address, init)
  } finally {
    // Also when the answer is lost.
    const key = new Headers(init.headers).get('Holdall-Act')
    for (const change of folders.asked.slice(asked)) {
      folders.acts.push(key)
      if (folders.refusals[change] !== undefined) continue
      const isForGood = change.startsWith('DELETE') && JSON.stringify(before.trash) === JSON.stringify(folders.trash)
      folders.history.note({ key, isForGood, ...notedOf(change, before.trash) }, before, keptIn(folders))
    }
  }
}

const keptIn = ({ stand, trash }: Folders) => ({ stand, trash })

/** What a change did, by its name in `asked`. */
function notedOf(change: string, trash: Record<string, string> = {}): Omit<Noted, 'key'> {
  const [verb = '', path = '', to = ''] = change.split(' ')
  if (verb === 'restore') {
    const paths = change
      .split(' ')
      .slice(1, -1)
      .map((id) => (trash[id] ?? '').replace(/\/$/, ''))
    return { kind: 'restore', folder: parted(paths[0] ?? '')[0], names: paths.map((one) => parted(one)[1]) }
  }
  const [folder, name] = parted((to.startsWith('/') ? to : path).replace(/\/$/, ''))
  const kind = { DELETE: 'delete', POST: path.endsWith('/') ? 'newFolder' : 'upload', copy: 'copy' } as const
  const moved = parted(path)[0] === folder ? 'rename' : 'move'
  return { kind: verb in kind ? kind[verb as keyof typeof kind] : moved, folder, names: [name] }
}

function answerTo(folders: Folders, address: string, { method = 'GET', body }: RequestInit): Response {
  if (address === '/api/login') {
    folders.isSignedOut = false
    return new Response(tokenOf('ann', 2, ann.id, allPermissions))
  }
  if (folders.isSignedOut) return new Response('401 Unauthorized', { status: 401 })
  const url = new URL(address, 'http://holdall.test')
  const path = decodeURIComponent(url.pathname.replace('/api/resources', '')) || '/'
  if (address.startsWith('/api/jobs')) return answerJob(folders, method, String(body))
  if (address === '/api/history') return Response.json({ acts: folders.history.list() })
  if (address.startsWith('/api/history/')) return flip(folders, address, JSON.parse(String(body)))
  if (method === 'GET') return list(folders, path)
  const change = { method, path, query: Object.fromEntries(url.searchParams), body }
  if (path === '/api/trash/restore') return unlessLost(folders, restore(folders, JSON.parse(String(body))))
  const name = nameOf(change)
  folders.asked.push(name)
  if (isForTrash(folders, change)) return unlessLost(folders, toTrash(folders, change))
  const status = folders.refusals[name] ?? act(folders, change)
  return unlessLost(folders, new Response(`${status} ${status === 200 ? 'OK' : 'No'}\n`, { status }))
}

/** The answer to the change that was made last. */
function unlessLost({ asked, lost = [] }: Folders, answer: Response): Response {
  if (lost.includes(asked.at(-1) ?? '')) throw new TypeError('Failed to fetch')
  return answer
}

function flip(folders: Folders, address: string, body: { rest?: boolean }): Response {
  const name = `${address.split('/').at(-1)} ${address.split('/').at(-2)}`
  const refused = folders.refusals[name]
  if (refused) return new Response(`${refused} No\n`, { status: refused })
  const now = structuredClone(keptIn(folders))
  const [undone, status] = folders.history.flip(address, body, now)
  folders.stand = now.stand
  if (now.trash) folders.trash = now.trash
  if (folders.lost?.includes(name)) throw new TypeError('Failed to fetch')
  return Response.json(undone, { status })
}

const isForTrash = ({ refusals }: Folders, change: Change) =>
  change.query.trash === 'true' && refusals[nameOf(change)] === undefined

/** A server of before answers without an item, one without a trash for the folder refuses. */
function toTrash(folders: Folders, change: Change): Response {
  const { trash } = folders
  if (trash && change.path.startsWith('/none/')) return refused(409, 'noTrash')
  if (trash && change.path.startsWith('/full/')) return refused(507, 'trashFull')
  if (trash && change.path.startsWith('/large/')) return refused(409, 'trashTooSmall')
  const found = (folders.stand[parted(change.path)[0]] ?? []).find((one) => pathOf(change.path, one) === change.path)
  const status = act(folders, change)
  if (!trash || status !== 200 || !found) return new Response(`${status}`, { status })
  const id = `item${Object.keys(trash).length + 1}`
  trash[id] = found.endsWith('/') ? `${change.path}/` : change.path
  return new Response('200 OK', { headers: { 'Holdall-Trash': id } })
}

const pathOf = (beside: string, name: string) => `${beside.slice(0, beside.lastIndexOf('/'))}/${name.replace(/\/$/, '')}`

function refused(status: number, code: 'noTrash' | 'trashFull' | 'trashTooSmall'): Response {
  const problem = { title: code, status, detail: code, refusal: { code, params: {} } }
  return new Response(JSON.stringify(problem), { status, headers: { 'Content-Type': 'application/problem+json' } })
}

type Wanted = { items: string[]; taken: 'ask' | 'number' | 'replace' }

function restore(folders: Folders, { items, taken }: Wanted): Response {
  const { trash = {}, stand } = folders
  folders.asked.push(`restore ${items.join(' ')} ${taken}`)
  const answer = { restored: [] as object[], taken: [] as object[], failures: [] as object[] }
  for (const id of items) {
    const path = trash[id]?.replace(/\/$/, '')
    if (path === undefined) {
      answer.failures.push({ id, code: 'notFound', message: 'it is not in the trash' })
      continue
    }
    const [folder, name] = parted(path)
    const there = stand[folder] ?? []
    const isTaken = there.some((one) => one.replace(/\/$/, '') === name)
    if (isTaken && taken === 'ask') {
      answer.taken.push({ id, path })
      continue
    }
    const given = isTaken && taken === 'number' ? name.replace(/(?=\.[^.]*$)|$/, '(1)') : name
    stand[folder] = [...new Set([...there, given + (trash[id]?.endsWith('/') ? '/' : '')])]
    delete trash[id]
    answer.restored.push({ id, path: pathOf(path, given) })
  }
  return Response.json(answer)
}

/** The call for one entry that a job does instead. */
function changeOf({ kind, to = '', choices = {} }: JobBody, path: string): Change {
  const destination = encodeURIComponent(`${to === '/' ? '' : to}/${parted(path)[1]}`)
  const choice = choices[path]
  const flags = { ...(choice === 'replace' && { override: 'true' }), ...(choice === 'number' && { rename: 'true' }) }
  if (kind === 'delete') return { method: 'DELETE', path, query: {}, body: undefined }
  return { method: 'PATCH', path, query: { action: kind === 'move' ? 'rename' : 'copy', destination, ...flags }, body: undefined }
}

function answerJob(folders: Folders, method: string, body: string): Response {
  const refused = folders.refusals[`${method} /api/jobs`]
  if (refused) return new Response(`${refused} No\n`, { status: refused })
  const asked = method === 'POST' ? (JSON.parse(body) as JobBody) : undefined
  if (asked?.kind === 'undo') return undoByJob(folders, asked)
  if (asked) return runJob(folders, asked)
  return new Response('404 Not Found\n', { status: 404 })
}

function undoByJob(folders: Folders, { id = '', act = '', redo = false, rest = false }: JobBody): Response {
  folders.undoneByJobs.push(act)
  const now = structuredClone(keptIn(folders))
  const [value] = folders.history.flip(`/api/history/${act}/${redo ? 'redo' : 'undo'}`, { rest }, now)
  Object.assign(folders, now)
  const counts = { entries: 1, done: 1, failed: 0, skipped: 0, asked: 0 }
  const about = { id, kind: 'undo', state: 'ended', act, startedAt: 1, changedAt: 2, values: [{ path: '', value }] }
  return Response.json({ ...about, ...counts, failures: [], questions: [], leftOut: [], renamed: [] })
}

/** A job that ends within its answer. */
function runJob(folders: Folders, body: JobBody): Response {
  const { entries = [], id = '', kind, to } = body
  if (entries.length > 10_000) return new Response('400 Bad Request\n', { status: 400 })
  const failures: JobDetails['failures'] = []
  const most = folders.cancelledAfter ?? entries.length
  for (const path of entries.slice(0, most)) {
    const change = changeOf(body, path)
    const name = nameOf(change)
    folders.asked.push(name)
    const isRemoval = kind === 'delete' && body.trash === true && folders.refusals[name] === undefined
    const answered = isRemoval ? toTrash(folders, change) : undefined
    const status = answered?.status ?? folders.refusals[name] ?? act(folders, change)
    const why = path.startsWith('/large/') ? 'trashTooSmall' : 'noTrash'
    if (status === 409 && isRemoval) failures.push({ path, code: 'conflict', message: why, refusal: { code: why, params: {} } })
    else if (status === 507 && isRemoval)
      failures.push({ path, code: 'full', message: 'trashFull', refusal: { code: 'trashFull', params: {} } })
    else if (status !== 200) failures.push({ path, code: codes[status] ?? 'internal', message: String(status) })
  }
  const leftOut = entries.slice(most)
  const done = entries.length - failures.length - leftOut.length
  const counts = { entries: entries.length, done, failed: failures.length, skipped: 0, asked: 0 }
  const about = { id, kind, state: leftOut.length > 0 ? 'cancelled' : 'ended', first: entries[0], to, startedAt: 1, changedAt: 2 }
  return Response.json({ ...about, ...counts, failures, questions: [], leftOut, renamed: [], values: [] })
}

const codes: Record<number, string> = { 403: 'forbidden', 404: 'notFound', 409: 'conflict', 503: 'busy' }

function list({ stand }: Folders, path: string): Response {
  const names = stand[path]
  const [above, name] = parted(path)
  if (!names && stand[above]?.includes(name)) return Response.json(entryIn(above, name))
  if (!names) return new Response('404 Not Found\n', { status: 404 })
  return Response.json({ ...resourceOf(names.map((name) => entryIn(path, name))), sorting: { by: 'name', asc: true } })
}

function entryIn(path: string, name: string): ResourceItem {
  const plain = name.replace(/\/$/, '')
  const given = { path: path === '/' ? `/${plain}` : `${path}/${plain}` }
  return name.endsWith('/') ? folder(plain, given) : file(plain, given)
}

function nameOf({ method, path, query }: Change): string {
  if (method !== 'PATCH') return `${method} ${path}`
  const flags = ['override', 'rename'].filter((flag) => query[flag] === 'true')
  return [query.action, path, decodeURIComponent(query.destination ?? ''), ...flags].join(' ')
}

function act({ stand }: Folders, { method, path, query }: Change): number {
  if (method === 'POST') return put(stand, path)
  const [folder, name] = parted(path)
  const there = stand[folder] ?? []
  const found = there.find((one) => one.replace(/\/$/, '') === name)
  if (!found) return 404
  if (method === 'DELETE') {
    stand[folder] = there.filter((one) => one !== found)
    return 200
  }
  const to = decodeURIComponent(query.destination ?? '')
  const [target, wanted] = parted(to)
  const isTaken = (stand[target] ?? []).some((one) => one.replace(/\/$/, '') === wanted)
  if (isTaken && query.rename !== 'true' && query.override !== 'true') return 409
  const given = isTaken && query.rename === 'true' ? wanted.replace(/(?=\.[^.]*$)|$/, '(1)') : wanted
  if (query.action === 'rename') stand[folder] = there.filter((one) => one !== found)
  const ending = found.endsWith('/') ? '/' : ''
  stand[target] = [...new Set([...(stand[target] ?? []), given + ending])]
  return 200
}

function put(stand: Record<string, string[]>, path: string): number {
  const isFolder = path.endsWith('/')
  const [folder, name] = parted(path.replace(/\/$/, ''))
  const there = stand[folder] ?? []
  if (!isFolder && there.includes(name)) return 409
  stand[folder] = [...new Set([...there, isFolder ? `${name}/` : name])]
  if (isFolder) stand[`${folder === '/' ? '' : folder}/${name}`] ??= []
  return 200
}

function parted(path: string): [folder: string, name: string] {
  const cut = path.lastIndexOf('/')
  return [path.slice(0, cut) || '/', path.slice(cut + 1)]
}
