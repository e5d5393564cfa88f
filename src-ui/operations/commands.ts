import type { Command } from '../core/command.ts'
import { open } from '../core/overlay.ts'
import type { Key } from '../i18n/t.ts'
import { inFolder, mayHere } from '../listing/in-folder.ts'
import { currentPath, selected } from '../listing/listing.ts'
import { clipboard } from './clipboard.ts'
import { copyToClipboard, paste } from './copy-paste.ts'
import { undo } from './transfer.ts'
import { undoable } from './undo.ts'

const some = () => selected.value.length > 0
const onlyOne = () => selected.value.length === 1

/** The width below which there is no room to rename in place. */
const phoneWidth = '(max-width: 736px)'

const forSome = { ready: some, reason: (): Key => 'command.reason.someItem' }
const forOne = { ready: onlyOne, reason: (): Key => (some() ? 'command.reason.oneItem' : 'command.reason.someItem') }

/** What can be done with the things in a folder. */
export const itemCommands: readonly Command[] = [
  {
    id: 'clipboard.cut',
    label: 'command.cut',
    icon: 'scissors',
    keys: ['Mod+X'],
    scope: 'listing',
    places: ['context'],
    group: 'edit',
    allowed: () => mayHere('rename'),
    ...forSome,
    run: () => copyToClipboard('x'),
  },
  {
    id: 'clipboard.copy',
    label: 'command.copy',
    icon: 'copy',
    keys: ['Mod+C'],
    scope: 'listing',
    places: ['context'],
    group: 'edit',
    allowed: () => mayHere('create'),
    ...forSome,
    takesKey: () => !isTextSelected(),
    run: () => copyToClipboard('c'),
  },
  {
    id: 'clipboard.paste',
    label: 'command.paste',
    icon: 'clipboard',
    keys: ['Mod+V'],
    scope: 'listing',
    places: ['more', 'folder'],
    group: 'paste',
    allowed: () => mayHere(clipboard.value?.key === 'x' ? 'rename' : 'create'),
    ready: () => clipboard.value !== undefined,
    reason: () => 'command.reason.nothingTaken',
    // Files from the desktop are the browser's to hand over.
    takesKey: () => clipboard.value !== undefined,
    run: paste,
  },
  {
    id: 'rename',
    label: 'command.rename',
    icon: 'cursor-text',
    keys: ['F2'],
    scope: 'listing',
    places: ['more', 'selection', 'context'],
    group: 'edit',
    allowed: () => mayHere('rename'),
    ...forOne,
    run: openRename,
  },
  {
    id: 'copy',
    label: 'command.copyTo',
    icon: 'copy-plus',
    scope: 'listing',
    places: ['more', 'selection', 'context'],
    group: 'edit',
    allowed: () => mayHere('create'),
    ...forSome,
    run: () => open({ kind: 'copy', items: selected.value, from: currentPath.value }),
  },
  {
    id: 'move',
    label: 'command.moveTo',
    icon: 'folder-symlink',
    scope: 'listing',
    places: ['more', 'selection', 'context'],
    group: 'edit',
    allowed: () => mayHere('rename'),
    ...forSome,
    run: () => open({ kind: 'move', items: selected.value, from: currentPath.value }),
  },
  {
    id: 'undo',
    label: 'command.undo',
    icon: 'arrow-back-up',
    keys: ['Mod+Z'],
    scope: 'listing',
    allowed: () => mayHere('rename'),
    ready: () => undoable.value !== undefined,
    reason: () => 'command.reason.nothingDone',
    run: undo,
  },
  {
    id: 'info',
    label: 'command.info',
    icon: 'info-circle',
    keys: ['Alt+Enter'],
    scope: 'listing',
    places: ['more', 'context', 'folder'],
    group: 'info',
    allowed: inFolder,
    run: () => open({ kind: 'info', items: selected.value }),
  },
  {
    id: 'delete',
    label: 'command.delete',
    icon: 'trash',
    keys: ['Delete'],
    scope: 'listing',
    places: ['more', 'selection', 'context'],
    group: 'delete',
    danger: true,
    allowed: () => mayHere('delete'),
    ...forSome,
    run: () => open({ kind: 'delete', items: selected.value }),
  },
]

// A row and a tile have room for a field; a phone's do not.
function openRename(): void {
  const [entry] = selected.value
  if (entry) open({ kind: 'rename', entry, inPlace: !matchMedia(phoneWidth).matches })
}

const isTextSelected = () => (getSelection()?.toString() ?? '') !== ''
