// Entries of the trash are put back where they were.
import type { WhenTaken } from '../../src-server/contract/jobs.ts'
import { call } from '../api/http.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { parentOf } from '../core/paths.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t, textOf } from '../i18n/t.ts'
import { type Choice, conflictsSlice } from './conflicts.ts'
import { ExistingNames } from './existing-names.ts'

/** An entry of the trash, as far as it matters here. `path` is where it was. */
export type Restorable = { id: string; path: string; name: string; isDir: boolean; size: number | null }

export type Restoring = {
  /** With the paths that they have now. */
  restored: { id: string; path: string }[]
  failed: { id: string; name: string; cause: string }[]
  /** What the requests were sent with. */
  act: string
}

/** How many entries one request names: between two of them it can be stopped. */
const atOnce = 500

/**
 * Puts entries of the trash back. Names that are taken are asked about; what fails is reported.
 * @throws what shows that the person is signed out
 */
export async function restore(workspace: Workspace, items: readonly Restorable[], taken: WhenTaken = 'ask'): Promise<Restoring> {
  const outcome: Restoring = { restored: [], failed: [], act: newAct() }
  const asked = await send(workspace, items, { taken, outcome })
  const answers = await askConflicts(workspace, asked)
  for (const [choice, wanted] of [['keepBoth', 'number'] as const, ['replace', 'replace'] as const]) {
    const chosen = asked.filter((item) => answers.get(item.id) === choice)
    if (chosen.length > 0) await send(workspace, chosen, { taken: wanted, outcome })
  }
  await showRestored(workspace, outcome.restored)
  reportLeft(workspace, t('trash.notRestored', { count: outcome.failed.length }), outcome.failed)
  return outcome
}

/** Says which entries something was not done with, and why with the first ones. */
export function reportLeft(workspace: Workspace, text: string, failed: Restoring['failed']): void {
  if (failed.length === 0) return
  const causes = failed.slice(0, mostNamed).map(({ name, cause }) => t('transfer.failure', { name: isolate(name), cause }))
  workspace.use(noticesSlice).fail(text, causes.join(' '))
}

/** Of those that something was not done with. */
const mostNamed = 3

/** Why the server left an entry of the trash as it was. */
export function causeOf({ code, message }: { code: string; message: string }): string {
  const own = textOf(`refusal.${code}`)
  // One with values that are not told here.
  return own === undefined || own.includes('{{') ? t('cause.other', { said: message }) : own
}

type Sent = { taken: WhenTaken; outcome: Restoring }

/** @returns those whose names are taken */
async function send(workspace: Workspace, items: readonly Restorable[], { taken, outcome }: Sent): Promise<Restorable[]> {
  const { signal } = workspace
  const { act } = outcome
  const byId = new Map(items.map((item) => [item.id, item]))
  const found: Restorable[] = []
  const parts = Array.from({ length: Math.ceil(items.length / atOnce) }, (_, part) =>
    items.slice(part * atOnce, (part + 1) * atOnce),
  )
  const restorePart = async (part: readonly Restorable[]) => {
    const answer = await call('POST /api/trash/restore', { body: { items: part.map(({ id }) => id), taken }, act, signal })
    outcome.restored.push(...answer.restored)
    for (const { id } of answer.taken) found.push(...[byId.get(id)].filter((item) => item !== undefined))
    for (const { id, ...why } of answer.failures) outcome.failed.push({ id, name: byId.get(id)?.name ?? '', cause: causeOf(why) })
  }
  const label = t('trash.restoring', { count: items.length })
  const { failed } = await workspace.use(tasksSlice).each(parts, restorePart, { label })
  for (const { item: part, failure } of failed)
    outcome.failed.push(...part.map(({ id, name }) => ({ id, name, cause: failureReason(failure) })))
  return found
}

/** Asks folder by folder. @returns the answers; an entry without one stays in the trash */
async function askConflicts(workspace: Workspace, items: readonly Restorable[]): Promise<ReadonlyMap<string, Choice>> {
  const answers = new Map<string, Choice>()
  for (const folder of new Set(items.map(({ path }) => parentOf(path)))) {
    const here = items.filter(({ path }) => parentOf(path) === folder)
    const there = await new ExistingNames(workspace, folder).at(here.map(({ path }) => path))
    const conflicts = here.map(({ id, path, name, isDir, size }) => ({
      id,
      item: { path, name, isDir, size: size ?? Number.NaN, modified: '' },
      existing: there.get(path) ?? { size: Number.NaN, modified: '', isDir },
    }))
    const chosen = await workspace.use(conflictsSlice).ask(folder, conflicts)
    // Closed: nothing further is done.
    if (!chosen) return answers
    for (const { id, item } of conflicts) answers.set(id, chosen.get(item) ?? 'skip')
  }
  return answers
}

async function showRestored(workspace: Workspace, restored: Restoring['restored']): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  const here = restored.map(({ path }) => path).filter((path) => parentOf(path) === entryView.currentPath.value)
  if (here.length === 0 || !entryView.isFolderShown()) return
  await entryView.refresh()
  entryView.showNew(here)
  if (here[0]) entryView.reveal(here[0], 'quietly')
}
