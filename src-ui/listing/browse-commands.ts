import { pageOf } from '../api/addresses.ts'
import { copyText } from '../api/copy-text.ts'
import type { Command } from '../core/command.ts'
import { cancelDrag } from '../core/drag.ts'
import type { Entry } from '../core/entries.ts'
import { succeed } from '../core/notices.ts'
import { open } from '../core/overlay.ts'
import { user } from '../core/session.ts'
import { locale } from '../i18n/locale.ts'
import { t } from '../i18n/t.ts'
import { openEntry } from './grid-commands.ts'
import { selected, sortedEntries } from './listing.ts'
import { editPath } from './path-edit.ts'
import { selection, selectOnly } from './selection.ts'

const forOneItem = {
  scope: 'listing',
  places: ['context'],
  group: 'open',
  allowed: () => sortedEntries.value.entries.length > 0,
  ready: () => oneEntry() !== undefined,
  reason: () => (selected.value.length > 1 ? 'command.reason.oneItem' : 'command.reason.someItem'),
} as const satisfies Partial<Command>

/** The ways about the file area beside the arrow keys. */
export const browseCommands: readonly Command[] = [
  {
    id: 'item.open',
    label: 'listing.command.open',
    icon: 'folder',
    shownKeys: ['Enter'],
    ...forOneItem,
    run: () => openEntry(oneEntry()),
  },
  {
    id: 'item.copyAddress',
    label: 'command.copyAddress',
    icon: 'link',
    ...forOneItem,
    run: () => copyAddress(oneEntry()),
  },
  {
    id: 'item.openTab',
    label: 'command.openTab',
    icon: 'external-link',
    keys: ['Mod+Enter'],
    ...forOneItem,
    run: () => openTab(oneEntry()),
  },
  {
    id: 'path.edit',
    label: 'command.editPath',
    icon: 'pencil',
    keys: ['Mod+L'],
    scope: 'listing',
    places: ['more'],
    group: 'path',
    allowed: () => user.value !== null,
    run: () => editPath(true),
  },
  {
    id: 'path.leave',
    label: 'command.leavePath',
    keys: ['Escape'],
    scope: 'path',
    keyOnly: true,
    run: () => editPath(false),
  },
  {
    id: 'menu.context',
    label: 'command.openMenu',
    keys: ['Shift+F10', 'ContextMenu'],
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
    run: () => cancelDrag.value?.(),
  },
]

/** Opens the menu of an entry; what is not selected is selected first. */
export function openEntryMenu(entry: Entry, at: { x: number; y: number }): void {
  if (!selection.value.keys.has(entry.key)) selection.value = selectOnly(entry.key)
  open({ kind: 'context', of: 'selection', at })
}

function openTab(entry: Entry | undefined): void {
  if (entry) window.open(pageOf(entry.path, entry.isDir), '_blank', 'noopener')
}

/** The address of its page, for whoever may see it there. */
async function copyAddress(entry: Entry | undefined): Promise<void> {
  if (!entry) return
  await copyText(new URL(pageOf(entry.path, entry.isDir), location.origin).href)
  succeed(t('command.addressCopied'))
}

/** The one that is selected, or at which the keyboard is. */
function oneEntry(): Entry | undefined {
  const [first, ...others] = selected.value
  const one = first ?? sortedEntries.value.entries[sortedEntries.value.indexOf(selection.value.focus) ?? -1]
  return others.length === 0 && !one?.unreachable ? one : undefined
}

// At the entry with the keyboard; anywhere else it is the folder's menu, at the top of the list.
function openMenuByKeyboard(): void {
  const row = document.activeElement?.closest<HTMLElement>('[data-entry]')
  const entry = row && sortedEntries.value.entries[Number(row.dataset.entry)]
  const place = row ?? document.querySelector('.pane')
  if (!place) return
  const { left, right, top, bottom } = place.getBoundingClientRect()
  const x = locale.value.dir === 'rtl' ? right - 40 : left + 40
  if (entry) openEntryMenu(entry, { x, y: bottom - 4 })
  else open({ kind: 'context', of: 'folder', at: { x, y: top + 8 } })
}
