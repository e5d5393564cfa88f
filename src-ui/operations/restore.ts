// Entries of the trash are put back where they were.
import type { WhenTaken } from '../../src-server/contract/jobs.ts'
import type { Restored } from '../../src-server/contract/trash.ts'
import { call } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice, noteSelection } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { type FailureOf, noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { parentOf, pathIn } from '../core/paths.ts'
import { restoredFileSlice } from '../core/restored-file.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { isolate, t, textOf } from '../i18n/t.ts'
import { moreText } from '../jobs/left-words.ts'
import { type Choice, conflictsSlice } from './conflicts.ts'
import { ExistingNames } from './existing-names.ts'
import { actOfLost } from './lost-answer.ts'
import { runJob } from './run-job.ts'

/** An entry of the trash, as far as it matters here. `path` is where it was; `modified`: milliseconds since the epoch, where known. */
export type Restorable = { id: string; path: string; name: string; isDir: boolean; size: number | null; modified?: number }

type RestoreHow = {
  taken?: WhenTaken
  /** Called when it goes on without the page. */
  onKept?: () => void
}

export type Restoring = {
  /** With the paths that they have now. */
  restored: { id: string; path: string }[]
  failed: { id: string; name: string; cause: string }[]
  /** What it is undone by; undefined when no single act does that. */
  act: string | undefined
  /** The notice of what has failed. */
  notice?: number | undefined
}

/**
 * Puts entries of the trash back. Names that are taken are asked about; what fails is reported.
 * @throws what shows that the person is signed out
 */
export async function restore(
  workspace: Workspace,
  items: readonly Restorable[],
  { taken = 'ask', onKept }: RestoreHow = {},
): Promise<Restoring> {
  const isOne = items.length === 1 && !items[0]?.isDir
  const hasChosen = noteSelection(workspace.use(entryViewSlice))
  const outcome = await (isOne || taken !== 'ask' ? sendAll(workspace, items, taken) : restoreByJob(workspace, items, onKept))
  await showRestored(workspace, outcome.restored, hasChosen)
  const triedOf = (all: readonly { id: string }[]) => all.map(({ id }) => `restore ${id}`)
  workspace.use(noticesSlice).dismissFailures({ tried: triedOf([...outcome.restored, ...outcome.failed]) })
  const of = { act: outcome.act, tried: triedOf(outcome.failed) }
  const notice = reportLeft(workspace, t('trash.notRestored', { count: outcome.failed.length }), outcome.failed, of)
  return { ...outcome, notice }
}

/** One file is a call of its own, which waits for no place among the jobs. */
async function sendAll(workspace: Workspace, items: readonly Restorable[], taken: WhenTaken): Promise<Restoring> {
  const act = newAct()
  const outcome: Restoring = { restored: [], failed: [], act }
  const asked = await send(workspace, items, { taken, outcome, act })
  const answers = (await askConflicts(workspace, asked)) ?? new Map()
  for (const [choice, wanted] of [['keepBoth', 'number'] as const, ['replace', 'replace'] as const]) {
    const chosen = asked.filter((item) => answers.get(item.id) === choice)
    if (chosen.length > 0) await send(workspace, chosen, { taken: wanted, outcome, act })
  }
  return outcome
}

/** Folders up to which it is looked beforehand which names are taken; with more the job asks. */
const mostFolders = 20

/** What goes on without the page. Of a name that is taken meanwhile the job asks. */
async function restoreByJob(
  workspace: Workspace,
  items: readonly Restorable[],
  onKept: (() => void) | undefined,
): Promise<Restoring> {
  const folders = new Set(items.map(({ path }) => parentOf(path)))
  const conflicts = folders.size > mostFolders ? [] : await takenAmong(workspace, items)
  const answers = await askConflicts(workspace, conflicts)
  if (!answers) return { restored: [], failed: [], act: undefined }
  const sent = items.filter(({ id }) => answers.get(id) !== 'skip')
  if (sent.length === 0) return { restored: [], failed: [], act: undefined }
  const byId = new Map(sent.map((item) => [item.id, item]))
  const words = { keepBoth: 'number', replace: 'replace', skip: 'skip' } as const
  const choices = Object.fromEntries([...answers].map(([id, choice]) => [id, words[choice]]))
  const label = t('trash.restoring', { count: sent.length })
  const job = { kind: 'restore', items: sent.map(itemOfJob), choices, label, ...(onKept && { onKept }) } as const
  const { done, failed, renamed, act } = await runJob(workspace, job)
  const places = new Map(renamed.map(({ path, to }) => [path, to]))
  return {
    restored: done.map(({ path: id }) => ({ id, path: places.get(id) ?? byId.get(id)?.path ?? '' })),
    failed: failed.map(({ item, failure }) => ({ id: item.path, name: item.name, cause: failureReason(failure) })),
    act,
  }
}

/** An entry of the trash as one of a job, which knows it by its id. */
export function itemOfJob({ id, ...item }: Restorable): Item {
  return itemAt(id, item)
}

/** As an entry of a listing. */
function itemAt(path: string, { name, isDir, size, modified = Number.NaN }: Omit<Restorable, 'id' | 'path'>): Item {
  const date = new Date(modified)
  return { path, name, isDir, size: size ?? Number.NaN, modified: Number.isNaN(date.getTime()) ? '' : date.toISOString() }
}

async function takenAmong(workspace: Workspace, items: readonly Restorable[]): Promise<Restorable[]> {
  const taken: Restorable[] = []
  const find = async () => {
    for (const [folder, here] of Map.groupBy(items, ({ path }) => parentOf(path))) {
      const there = await new ExistingNames(workspace, folder).at(here.map(({ path }) => path))
      taken.push(...here.filter(({ path }) => there.has(path)))
    }
  }
  await workspace.use(tasksSlice).track(find, t('trash.restoring', { count: items.length }))
  return taken
}

/** Says which entries something was not done with, and why with the first ones. @returns the id of the notice; undefined when none failed */
export function reportLeft(
  workspace: Workspace,
  text: string,
  failed: Restoring['failed'],
  of: FailureOf = {},
): number | undefined {
  if (failed.length === 0) return undefined
  const causes = failed.slice(0, mostNamed).map(({ name, cause }) => t('transfer.failure', { name: isolate(name), cause }))
  const rest = failed.length - causes.length
  return workspace.use(noticesSlice).fail(text, joinSentences(...causes, rest > 0 && moreText(rest)), undefined, of)
}

/** Of those that something was not done with. */
const mostNamed = 3

/** Why the server left an entry of the trash as it was. */
export function causeOf({ code, message }: { code: string; message: string }): string {
  const own = textOf(`refusal.${code}`) ?? textOf(`cause.${code}`)
  // One with values that are not told here.
  return own === undefined || own.includes('{{') ? t('cause.other', { said: message }) : own
}

type Sent = { taken: WhenTaken; outcome: Restoring; act: string }

/** @returns those whose names are taken */
async function send(workspace: Workspace, items: readonly Restorable[], { taken, outcome, act }: Sent): Promise<Restorable[]> {
  const { signal } = workspace
  const byId = new Map(items.map((item) => [item.id, item]))
  const found: Restorable[] = []
  const restoreAll = async () => {
    const body = { items: items.map(({ id }) => id), taken }
    const sent = call('POST /api/trash/restore', { body, act, signal })
    const answer = await sent.catch((failure: unknown) => restoredBy(workspace, failure, { items, act }))
    outcome.restored.push(...answer.restored)
    for (const { id } of answer.taken) found.push(...[byId.get(id)].filter((item) => item !== undefined))
    for (const { id, ...why } of answer.failures) outcome.failed.push({ id, name: byId.get(id)?.name ?? '', cause: causeOf(why) })
  }
  const label = t('trash.restoring', { count: items.length })
  const { failed } = await workspace.use(tasksSlice).each([items], restoreAll, { label })
  for (const { failure } of failed)
    outcome.failed.push(...items.map(({ id, name }) => ({ id, name, cause: failureReason(failure) })))
  return found
}

type Lost = { items: readonly Restorable[]; act: string }

/** What the server answered as far as it can be known, when the answer is lost. @throws the failure, when it did nothing */
async function restoredBy(workspace: Workspace, failure: unknown, { items, act }: Lost): Promise<Restored> {
  const [item] = items
  // Of several the act does not tell which of them came back.
  const done = item && items.length === 1 ? await actOfLost(workspace, failure, act) : undefined
  if (!item || !done) throw failure
  return { restored: [{ id: item.id, path: pathIn(done.folder, done.names[0] ?? item.name) }], taken: [], failures: [] }
}

/** Asks folder by folder. @returns the answers by id; undefined when one of the questions was closed: then nothing further is done */
async function askConflicts(
  workspace: Workspace,
  items: readonly Restorable[],
): Promise<ReadonlyMap<string, Choice> | undefined> {
  const answers = new Map<string, Choice>()
  for (const folder of new Set(items.map(({ path }) => parentOf(path)))) {
    const here = items.filter(({ path }) => parentOf(path) === folder)
    const there = await new ExistingNames(workspace, folder).at(here.map(({ path }) => path))
    const conflicts = here.map(({ id, path, ...item }) => ({
      id,
      item: itemAt(path, item),
      existing: there.get(path) ?? { size: Number.NaN, modified: '', isDir: item.isDir },
      isRestored: true,
    }))
    const chosen = await workspace.use(conflictsSlice).ask(folder, conflicts)
    if (!chosen) return undefined
    for (const { id, item } of conflicts) answers.set(id, chosen.get(item) ?? 'skip')
  }
  return answers
}

async function showRestored(workspace: Workspace, restored: Restoring['restored'], hasChosen: () => boolean): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  // A file that is open got the content of an earlier version.
  const open = restored.find(({ path }) => path === entryView.currentPath.value)
  if (open) {
    workspace.use(restoredFileSlice).value = open
    return entryView.refresh()
  }
  const here = restored.map(({ path }) => path).filter((path) => parentOf(path) === entryView.currentPath.value)
  if (here.length === 0 || !entryView.isFolderShown()) return
  await entryView.refresh()
  if (hasChosen()) return
  entryView.showNew(here)
  if (here[0]) entryView.reveal(here[0], 'quietly')
}
