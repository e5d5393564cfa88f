import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { go } from '../core/location.ts'
import { announce, fail } from '../core/notices.ts'
import { locale } from '../i18n/locale.ts'
import { type Key, t } from '../i18n/t.ts'
import { focusColumnHeaders } from './column-header-commands.ts'
import { downloadFile } from './download-file.ts'
import { focused, type Mode, type Move, move, toggleFocused } from './grid-focus.ts'
import { clearSelected, isNavigating, selected, sortedEntries, viewMode } from './listing.ts'
import { isMultiple, selectAll, selection } from './selection.ts'

const modes: [prefix: string, mode: Mode, label?: Key][] = [
  ['', 'select'],
  ['Shift+', 'extend', 'listing.command.extend'],
  ['Mod+', 'focus', 'listing.command.focus'],
]

/** The keys of the listing: how one gets about in it, selects and opens. */
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
    allowed: keyboardIsInGrid,
    run: () => openEntry(focused()),
  },
  {
    ...listed('grid.toggle', 'listing.command.toggle', ['Space', 'Mod+Space']),
    keyOnly: true,
    allowed: keyboardIsInGrid,
    run: toggleFocused,
  },
  {
    ...listed('selection.all', 'listing.command.selectAll', ['Mod+A']),
    icon: 'select-all',
    places: ['more', 'folder'],
    group: 'select',
    allowed: () => sortedEntries.value.entries.length > 0,
    run: () => {
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
    allowed: () => sortedEntries.value.entries.length > 0 && !isMultiple.value,
    run: () => {
      isMultiple.value = true
      announce(t('listing.selectSeveral'))
    },
  },
  {
    ...listed('selection.clear', 'listing.command.clear', ['Escape']),
    icon: 'x',
    allowed: () => selected.value.length > 0 || isMultiple.value,
    run: clearSelected,
  },
]

/** Opens a folder; saves a file. What cannot be reached says why. */
export function openEntry(entry: Entry | undefined): void {
  // What is still to be seen of the place before is not to be opened: a second Enter would come too late.
  if (!entry || isNavigating()) return
  if (entry.unreachable) fail(t('listing.notOpened', { name: entry.name }), t(`listing.unreachable.${entry.unreachable}`))
  else if (entry.isDir) go(pageOf(entry.path, true).slice(baseURL.length))
  else void downloadFile(entry)
}

type Moving = { label?: Key; applies?: () => boolean }

function moves(key: string, to: () => Move, { label = 'listing.command.move', applies = () => true }: Moving = {}): Command[] {
  return modes.map(([prefix, mode, other]) => ({
    ...listed(`grid.${mode}.${key}`, other ?? label, [prefix + key]),
    keyOnly: true,
    allowed: () => applies() && keyboardIsFree(),
    run: () => {
      if (key === 'ArrowUp' && mode !== 'extend' && isAtTop() && focusColumnHeaders()) return
      // Where a click adds, the arrows leave what is selected: Space adds.
      move(to(), mode === 'select' && isMultiple.value ? 'focus' : mode)
    },
  }))
}

function listed(id: string, label: Command['label'], keys: string[]): Pick<Command, 'id' | 'label' | 'keys' | 'scope'> {
  return { id, label, keys, scope: 'listing' }
}

const isAtTop = () => keyboardIsInGrid() && focused() === sortedEntries.value.entries[0]

function isMosaic(): boolean {
  return viewMode.value === 'mosaic'
}

// Enter and Space belong to whatever else has the focus: a button, a link.
function keyboardIsInGrid(): boolean {
  return Boolean(document.activeElement?.closest('[data-entry]'))
}

function keyboardIsFree(): boolean {
  const active = document.activeElement
  const isNowhere = !active || active === document.body || active.id === 'main'
  return sortedEntries.value.entries.length > 0 && (isNowhere || keyboardIsInGrid())
}
