import { pageOf } from '../api/addresses.ts'
import { copyText } from '../api/copy-text.ts'
import { type Command, menuKeys, type Target } from '../core/command.ts'
import { dragSlice } from '../core/drag.ts'
import type { Entry } from '../core/entries.ts'
import { entryAt } from '../core/entry-view.ts'
import { isEnterFree } from '../core/keyboard.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { t } from '../i18n/t.ts'
import { openEntry } from './grid-commands.ts'
import { gridFocusSlice } from './grid-focus.ts'
import { listingSlice } from './listing.ts'
import { selectOnly } from './selection.ts'

const forOneItem = {
  scope: 'listing',
  places: ['context'],
  group: 'open',
  allowed: (workspace) =>
    workspace.use(listingSlice).sortedEntries.value.entries.length > 0 ||
    workspace.use(overlaysSlice).current.value.kind === 'search',
  ready: (workspace, target) => oneEntry(workspace, target) !== undefined,
  reason: (_workspace, { items }) => (items.length > 1 ? 'command.reason.oneItem' : 'command.reason.someItem'),
} as const satisfies Partial<Command>

/** The commands that open entries, menus and the path field. */
export const browseCommands: readonly Command[] = [
  {
    id: 'item.open',
    label: 'listing.command.open',
    icon: 'folder',
    shownKeys: ['Enter'],
    ...forOneItem,
    run: (workspace, target) => openEntry(workspace, oneEntry(workspace, target)),
  },
  {
    id: 'item.copyAddress',
    label: 'command.copyAddress',
    icon: 'link',
    ...forOneItem,
    run: (workspace, target) => copyAddress(workspace, oneEntry(workspace, target)),
  },
  {
    id: 'item.openTab',
    label: 'command.openTab',
    icon: 'external-link',
    keys: ['Mod+Enter'],
    ...forOneItem,
    run: (workspace, target) => openTab(oneEntry(workspace, target)),
  },
  {
    id: 'path.edit',
    label: 'command.editPath',
    icon: 'pencil',
    keys: ['Mod+L'],
    scope: 'listing',
    places: ['more'],
    group: 'path',
    allowed: (workspace) => workspace.user.value !== null && workspace.use(listingSlice).state.value.kind !== 'file',
    run: (workspace) => workspace.use(listingSlice).editPath(true),
  },
  {
    id: 'path.leave',
    label: 'command.leavePath',
    keys: ['Escape'],
    scope: 'path',
    keyOnly: true,
    run: (workspace) => workspace.use(listingSlice).editPath(false),
  },
  {
    id: 'menu.context',
    label: 'command.openMenu',
    keys: menuKeys,
    takesKey: (_workspace, chord) => isEnterFree(chord),
    scope: 'listing',
    keyOnly: true,
    run: openMenuByKeyboard,
  },
  {
    id: 'drag.cancel',
    label: 'command.cancelDrag',
    keys: ['Escape'],
    scope: 'drag',
    keyOnly: true,
    run: (workspace) => workspace.use(dragSlice).cancel.value?.(),
  },
]

/** Opens the menu of an entry; an entry that is not selected is selected first. */
export function openEntryMenu(workspace: Workspace, entry: Entry, at: { x: number; y: number }): void {
  const listing = workspace.use(listingSlice)
  if (!listing.selection.value.keys.has(entry.key)) listing.selection.value = selectOnly(entry.key)
  workspace.use(overlaysSlice).open({ kind: 'context', of: 'selection', target: listing.target(), at })
}

/** Clears the selection and opens the menu of the folder that is shown. */
export function openFolderMenu(workspace: Workspace, at: { x: number; y: number }): void {
  const listing = workspace.use(listingSlice)
  listing.clearSelected()
  workspace.use(overlaysSlice).open({ kind: 'context', of: 'folder', target: listing.target(), at })
}

function openTab(entry: Entry | undefined): void {
  if (entry) window.open(pageOf(entry.path, entry.isDir), '_blank', 'noopener')
}

/** Copies the address of an entry's page. */
async function copyAddress(workspace: Workspace, entry: Entry | undefined): Promise<void> {
  if (!entry) return
  await copyText(new URL(pageOf(entry.path, entry.isDir), location.origin).href)
  workspace.use(noticesSlice).succeed(t('command.addressCopied'))
}

/** The only entry of the target, or the one with the focus. */
function oneEntry(workspace: Workspace, { items: [first, ...others] }: Target): Entry | undefined {
  const listing = workspace.use(listingSlice)
  const hasFocus = listing.selection.value.focus !== undefined
  const one = first ?? (hasFocus ? workspace.use(gridFocusSlice).focused() : undefined)
  return others.length === 0 && !one?.unreachable ? one : undefined
}

// When no entry has the focus, opens the menu of the folder at the top of the list.
function openMenuByKeyboard(workspace: Workspace): void {
  const row = document.activeElement?.closest('[data-entry]')
  const entry = entryAt(workspace.use(listingSlice), row)
  const anchor = row ?? document.querySelector('.pane')
  if (!anchor) return
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const x = locale.value.dir === 'rtl' ? right - 40 : left + 40
  if (entry) openEntryMenu(workspace, entry, { x, y: bottom - 4 })
  else openFolderMenu(workspace, { x, y: top + 8 })
}
