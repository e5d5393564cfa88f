import type { Entry, SortedEntries } from '../core/entries.ts'
import { parentOf } from '../core/paths.ts'
import { currentPath, refresh, reveal, showNew, sortedEntries } from '../listing/listing.ts'
import { selectNeighbour } from '../listing/select-neighbour.ts'
import { pathIn } from './file-name.ts'
import type { Outcome, Transfer } from './transfer.ts'

type Given = Pick<Transfer, 'action' | 'to'> & {
  /** The listing as it was when things were sent. */
  before: SortedEntries
  outcome: Outcome
}

/** Shows what a move or a copy has done: what came is selected; of what went, the neighbour is. */
export async function showTransferred({ action, to, before, outcome }: Given): Promise<void> {
  const sources = [...outcome.done, ...outcome.failed].map(({ item }) => parentOf(item.path))
  if (currentPath.value !== to && !sources.includes(currentPath.value)) return
  await refresh()
  if (currentPath.value === to) showArrived(to, before, outcome)
  else if (action === 'move') selectNeighbour(before, new Set(outcome.done.map(({ item }) => item.path)))
}

function showArrived(to: string, before: SortedEntries, { done }: Outcome): void {
  const kept = done.filter(({ choice }) => choice === 'keepBoth').map(({ item }) => item.name)
  const named = new Set(done.filter(({ choice }) => choice !== 'keepBoth').map(({ item }) => pathIn(to, item.name)))
  const isNumbered = (entry: Entry) => before.indexOf(entry.key) === undefined && kept.includes(nameBefore(entry.name))
  const created = sortedEntries.value.entries.filter((entry) => named.has(entry.key) || isNumbered(entry)).map(({ key }) => key)
  showNew(created)
  if (created[0]) reveal(created[0], 'quietly')
}

/** `a.txt` for `a(1).txt`: the server numbers what is to stand beside another of its name, and does not say how. */
const nameBefore = (name: string): string => name.replace(/\(\d+\)(?=(?:\.[^.]*)?$)/, '')
