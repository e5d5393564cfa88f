import type { Entry, SortedEntries } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { parentOf, pathIn } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import type { Outcome, Transfer } from './transfer.ts'

type Transferred = Pick<Transfer, 'action' | 'to'> & {
  /** The listing before the transfer. */
  before: SortedEntries
  /** Whether the person has selected something else since. */
  hasChosen: () => boolean
  outcome: Outcome
}

/** Shows the result of a move or a copy: selects the entries that were added, or moves the focus from those that were removed. */
export async function showTransferred(
  workspace: Workspace,
  { action, to, before, hasChosen, outcome }: Transferred,
): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  const fileView = workspace.use(fileViewSlice)
  const shown = outcome.done.find(({ item }) => item.path === fileView.file.peek()?.path)
  if (action === 'move' && shown) return fileView.removed(shown.item.path)
  const sources = [...outcome.done, ...outcome.failed].map(({ item }) => parentOf(item.path))
  if (entryView.currentPath.value !== to && !sources.includes(entryView.currentPath.value)) return
  await entryView.refresh()
  if (outcome.isLong || hasChosen()) return
  if (entryView.currentPath.value === to) showArrived(workspace, to, before, outcome)
  else if (action === 'move') entryView.focusNeighbour(before, new Set(outcome.done.map(({ item }) => item.path)))
}

function showArrived(workspace: Workspace, to: string, before: SortedEntries, { done, renamed }: Outcome): void {
  const entryView = workspace.use(entryViewSlice)
  const kept = done.filter(({ choice }) => choice === 'keepBoth').map(({ item }) => item.name)
  const plain = done.filter(({ choice }) => choice !== 'keepBoth').map(({ item }) => pathIn(to, item.name))
  const named = new Set([...plain, ...renamed.map((one) => one.to)])
  const isNumbered = (entry: Entry) => before.indexOf(entry.key) === undefined && kept.includes(nameBefore(entry.name))
  const created = entryView.sortedEntries.value.entries
    .filter((entry) => named.has(entry.key) || isNumbered(entry))
    .map(({ key }) => key)
  entryView.showNew(created)
  if (created[0]) entryView.reveal(created[0], 'quietly')
}

/** `a.txt` for `a(1).txt`: with *Keep both* the server adds a number, which it does not report. */
const nameBefore = (name: string): string => name.replace(/\(\d+\)(?=(?:\.[^.]*)?$)/, '')
