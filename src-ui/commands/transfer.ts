import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import { isolate, t } from '../i18n/t.ts'
import { isSignedOut, whyNot } from '../state/cause.ts'
import { type Answers, askAbout } from '../state/conflicts.ts'
import type { Entry } from '../state/entries.ts'
import { pathIn } from '../state/file-name.ts'
import { type Item, isInItself, parentOf } from '../state/item.ts'
import { found, here, order } from '../state/listing.ts'
import { announce, fail, succeed } from '../state/notices.ts'
import type { Existing } from '../state/upload-job.ts'
import type { Choice } from '../state/upload-queue.ts'
import { during } from '../state/work.ts'
import { showTransferred } from './show-transferred.ts'

export type Transfer = { action: 'move' | 'copy'; items: readonly Item[]; to: string }

/** What became of it. */
export type Outcome = {
  done: { item: Item; choice: Choice | undefined }[]
  failed: { item: Item; failure: unknown }[]
}

type There = ReadonlyMap<string, Existing>

/**
 * Moves or copies things into a folder. Names that are taken there are asked about before anything is sent; what is
 * copied to where it stands gets a number. It says itself how it went.
 */
export async function transfer(wanted: Transfer): Promise<void> {
  const { action, to } = wanted
  // What is moved to where it stands has nowhere to go.
  const items = wanted.items.filter((item) => action === 'copy' || parentOf(item.path) !== to)
  if (items.length === 0) return announce(t('transfer.here'))
  if (isInItself(items, to)) return fail(t(failed(action), { count: items.length }), t('transfer.itself'))
  try {
    const before = order.value
    const outcome = await carryOut({ ...wanted, items })
    if (outcome.done.length > 0 || outcome.failed.length > 0) await showTransferred({ action, to, before, outcome })
    tell(action, outcome)
  } catch (failure) {
    if (!isSignedOut(failure)) fail(t(failed(action), { count: items.length }), whyNot(failure))
  }
}

async function carryOut(wanted: Transfer): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] }
  let there = await during(whatIsIn(wanted.to, shownIn(wanted.to)))
  let items = wanted.items
  while (items.length > 0) {
    const answers = await ask(wanted, items, there)
    const taken = await during(sendAll({ ...wanted, items }, { answers, there, outcome }))
    if (taken.length > 0) there = await during(whatIsIn(wanted.to))
    // What has the name and is not to be seen cannot be asked about.
    outcome.failed.push(...taken.filter(({ item }) => !there.has(item.name)))
    items = taken.map(({ item }) => item).filter((item) => there.has(item.name))
  }
  return outcome
}

/** @throws HttpFailure when the folder cannot be read */
async function whatIsIn(folder: string, known?: readonly Entry[]): Promise<There> {
  const entries = known ?? (await call('GET /api/resources/*', { path: folder })).items ?? []
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function shownIn(folder: string): readonly Entry[] | undefined {
  const { value } = found
  return value.kind === 'folder' && value.path === folder && here.value === folder ? value.entries : undefined
}

async function ask({ to }: Transfer, items: readonly Item[], there: There): Promise<Answers> {
  const taken = items.flatMap((item) => {
    const existing = parentOf(item.path) === to ? undefined : there.get(item.name)
    return existing ? [{ item, existing }] : []
  })
  return taken.length > 0 ? askAbout(to, taken) : new Map()
}

type Round = { answers: Answers; there: There; outcome: Outcome }

/** @returns what found its name taken only now */
async function sendAll({ action, items, to }: Transfer, { answers, there, outcome }: Round): Promise<Outcome['failed']> {
  const again: Outcome['failed'] = []
  for (const item of items) {
    const choice = parentOf(item.path) === to ? 'keepBoth' : answers.get(item)
    const isSkipped = choice === 'skip' || (choice === undefined && there.has(item.name))
    if (isSkipped) continue
    try {
      await send(action, { item, to, choice })
      outcome.done.push({ item, choice })
    } catch (failure) {
      if (isSignedOut(failure)) throw failure
      const isTaken = failure instanceof HttpFailure && failure.status === 409 && choice === undefined
      const list = isTaken ? again : outcome.failed
      list.push({ item, failure })
    }
  }
  return again
}

function send(action: Transfer['action'], { item, to, choice }: { item: Item; to: string; choice: Choice | undefined }) {
  const query = {
    action: action === 'move' ? 'rename' : 'copy',
    // A path inside a query: encoded as a path, beside what the query does to it.
    destination: encodePath(pathIn(to, item.name)),
    ...(choice === 'replace' && { override: 'true' }),
    ...(choice === 'keepBoth' && { rename: 'true' }),
  }
  return call('PATCH /api/resources/*', { path: item.path, query })
}

function tell(action: Transfer['action'], { done, failed: refused }: Outcome): void {
  if (done.length > 0) succeed(t(action === 'move' ? 'transfer.moved' : 'transfer.copied', { count: done.length }))
  const [first] = refused
  if (!first) return
  const detail = t('transfer.failure', { name: isolate(first.item.name), cause: whyNot(first.failure) })
  fail(t(failed(action), { count: refused.length }), detail)
}

const failed = (action: Transfer['action']) => (action === 'move' ? 'transfer.notMoved' : 'transfer.notCopied')
