import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { go } from '../core/location.ts'
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { type Key, t } from '../i18n/t.ts'
import { focusColumnHeaders } from './column-header-commands.ts'
import { gridFocusSlice, type Mode, type Move } from './grid-focus.ts'
import { listingSlice } from './listing.ts'
import { selectAll } from './selection.ts'
import { openFile } from './shown-file.ts'

const modes: [prefix: string, mode: Mode, label?: Key][] = [
  ['', 'select'],
  ['Shift+', 'extend', 'listing.command.extend'],
  ['Mod+', 'focus', 'listing.command.focus'],
]

/** The keys of the listing: they move the focus, select and open. */
export const gridCommands: readonly Command[] = [
  ...moves('ArrowDown', () => 'down'),
  ...moves('ArrowUp', () => 'up'),
  ...moves('ArrowRight', () => (locale.value.dir === 'rtl' ? 'previous' : 'next'), { applies: isMosaic }),
  ...moves('ArrowLeft', () => (locale.value.dir === 'rtl' ? 'next' : 'previous'), { applies: isMosaic }),
  ...moves('Home', () => 'first', { label: 'listing.command.ends' }),
  ...moves('End', () => 'last', { label: 'listing.command.ends' }),
  ...moves('PageDown', () => 'pageDown', { label: 'listing.command.page' }),
  ...moves('PageUp', () => 'pageUp', { label: 'listing.command.page' }),
  {
    ...listed('grid.open', 'listing.command.open', ['Enter']),
    keyOnly: true,
    allowed: isFocusInGrid,
    run: (workspace) => openEntry(workspace, workspace.use(gridFocusSlice).focused()),
  },
  {
    ...listed('grid.toggle', 'listing.command.toggle', ['Mod+Space', 'Shift+Space']),
    keyOnly: true,
    allowed: isFocusInGrid,
    run: (workspace) => workspace.use(gridFocusSlice).toggleFocused(),
  },
  {
    ...listed('selection.all', 'listing.command.selectAll', ['Mod+A']),
    icon: 'select-all',
    places: ['more', 'folder'],
    group: 'select',
    allowed: hasEntries,
    run(workspace) {
      const { selection, sortedEntries } = workspace.use(listingSlice)
      selection.value = selectAll(selection.value, sortedEntries.value)
    },
  },
  {
    id: 'selection.multiple',
    label: 'listing.command.selectMultiple',
    icon: 'list-check',
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'select',
    allowed: (workspace) => hasEntries(workspace) && !workspace.use(listingSlice).isMultiple.value,
    run(workspace) {
      workspace.use(listingSlice).isMultiple.value = true
      workspace.use(noticesSlice).announce(t('listing.selectSeveral'))
    },
  },
  {
    ...listed('selection.clear', 'listing.command.clear', ['Escape']),
    icon: 'x',
    allowed(workspace) {
      const { selected, isMultiple } = workspace.use(listingSlice)
      return selected.value.length > 0 || isMultiple.value
    },
    run: (workspace) => workspace.use(listingSlice).clearSelected(),
  },
]

/** Opens a folder or the page of a file. For an entry that cannot be opened, reports why. */
export function openEntry(workspace: Workspace, entry: Entry | undefined): void {
  // While another folder is loading, a second Enter must not open an entry of the folder before.
  if (!entry || workspace.use(listingSlice).isNavigating()) return
  if (entry.unreachable) reportUnreachable(workspace, entry.name, entry.unreachable)
  else if (entry.isDir) go(pageOf(entry.path, true).slice(baseURL.length))
  else openFile(entry.path)
}

function reportUnreachable(workspace: Workspace, name: string, reason: NonNullable<Entry['unreachable']>): void {
  workspace.use(noticesSlice).fail(t('listing.notOpened', { name }), t(`listing.unreachable.${reason}`))
}

type Moving = { label?: Key; applies?: (workspace: Workspace) => boolean }

function moves(key: string, to: () => Move, { label = 'listing.command.move', applies = () => true }: Moving = {}): Command[] {
  return modes.map(([prefix, mode, other]) => ({
    ...listed(`grid.${mode}.${key}`, other ?? label, [prefix + key]),
    keyOnly: true,
    repeats: true,
    allowed: (workspace) => applies(workspace) && isFocusFree(workspace),
    run(workspace) {
      if (key === 'ArrowUp' && mode !== 'extend' && isAtTop(workspace) && focusColumnHeaders()) return
      // While a click adds to the selection, the arrow keys only move the focus, and Space adds.
      const { isMultiple } = workspace.use(listingSlice)
      workspace.use(gridFocusSlice).move(to(), mode === 'select' && isMultiple.value ? 'focus' : mode)
    },
  }))
}

function listed(id: string, label: Command['label'], keys: string[]): Pick<Command, 'id' | 'label' | 'keys' | 'scope'> {
  return { id, label, keys, scope: 'listing' }
}

function isAtTop(workspace: Workspace): boolean {
  const [first] = workspace.use(listingSlice).sortedEntries.value.entries
  return isFocusInGrid() && workspace.use(gridFocusSlice).focused() === first
}

function isMosaic(workspace: Workspace): boolean {
  return workspace.use(listingSlice).viewMode.value === 'mosaic'
}

function hasEntries(workspace: Workspace): boolean {
  return workspace.use(listingSlice).sortedEntries.value.entries.length > 0
}

// Outside the grid, Enter and Space act on the element with the focus: a button, a link.
function isFocusInGrid(): boolean {
  return Boolean(document.activeElement?.closest('[data-entry]'))
}

function isFocusFree(workspace: Workspace): boolean {
  const active = document.activeElement
  const isNowhere = !active || active === document.body || active.id === 'main'
  return hasEntries(workspace) && (isNowhere || isFocusInGrid())
}
