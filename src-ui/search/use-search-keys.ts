import type { KeyboardEvent } from 'react'
import { chordOf } from '../core/chord.ts'
import { commandTableSlice, menuKeys } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { run } from '../core/run.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, t } from '../i18n/t.ts'
import { optionId } from '../ui/finder.tsx'
import { chosenSlice } from './chosen.ts'
import { searchSlice } from './search.ts'
import type { MenuRequest } from './search-results.tsx'
import { targetOf } from './target.ts'

/** Rows that PageUp and PageDown pass. */
const pageStep = 8

type Parts = { listId: string; openMenu(request: MenuRequest): void }

/** The keys of the field: they choose among the results, and act on the chosen one. */
export function useSearchKeys({ listId, openMenu }: Parts): (event: KeyboardEvent) => void {
  const workspace = useWorkspace()
  return (event) => {
    if (event.nativeEvent.isComposing) return
    const isMenu = menuKeys.includes(chordOf(event.nativeEvent))
    const done = !isMenu && (move(workspace, event.key) || act(workspace, event))
    if (isMenu) openMenuAtChosen(workspace, listId, openMenu)
    if (done || isMenu) event.preventDefault()
  }
}

/** @returns whether it was a key that moves */
function move(workspace: Workspace, key: string): boolean {
  const search = workspace.use(searchSlice)
  const chosen = workspace.use(chosenSlice)
  const all = search.ordered.peek()
  const from = all.findIndex((entry) => entry.key === chosen.entry.peek()?.key)
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageStep, PageUp: -pageStep }
  const step = steps[key]
  if (step === undefined) return false
  const to = Math.min(all.length - 1, Math.max(0, from < 0 && step < 0 ? all.length - 1 : from + step))
  while (to >= search.shownCount.peek()) search.showMore()
  chosen.entry.value = all[to]
  return true
}

/** Enter opens, with Ctrl in a new tab, with Shift its folder. @returns whether it was such a key */
function act(workspace: Workspace, { key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  if (key !== 'Enter') return false
  const chosen = workspace.use(chosenSlice)
  const search = workspace.use(searchSlice)
  // What is shown may not be what was typed.
  if (!search.isStale.peek()) chosen.entry.value ??= search.ordered.peek()[0]
  const entry = chosen.entry.peek()
  if (!entry) return true
  if (shiftKey) void run(workspace, workspace.use(commandTableSlice).get('search.showInFolder'))
  else if (ctrlKey || metaKey) void run(workspace, workspace.use(commandTableSlice).get('item.openTab'), targetOf(entry))
  else openResult(workspace, entry)
  return true
}

/** Closes the search and opens a result. For one that cannot be opened, says why. */
export function openResult(workspace: Workspace, entry: Entry): void {
  if (entry.unreachable) {
    const reason = t(`listing.unreachable.${entry.unreachable}`)
    workspace.use(noticesSlice).fail(t('listing.notOpened', { name: isolate(entry.name) }), reason)
    return
  }
  workspace.use(overlaysSlice).close('search')
  void run(workspace, workspace.use(commandTableSlice).get('item.open'), targetOf(entry))
}

function openMenuAtChosen(workspace: Workspace, listId: string, openMenu: Parts['openMenu']): void {
  const entry = workspace.use(chosenSlice).entry.peek()
  const index = workspace
    .use(searchSlice)
    .ordered.peek()
    .findIndex(({ key }) => key === entry?.key)
  const row = document.getElementById(optionId(listId, index))
  if (!entry || !row) return
  const { left, right, bottom } = row.getBoundingClientRect()
  openMenu({ entry, at: { x: locale.value.dir === 'rtl' ? right - 48 : left + 48, y: bottom - 4 } })
}
