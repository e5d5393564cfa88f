import type { Command } from '../core/command.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import type { Key } from '../i18n/t.ts'
import { openEntry } from './grid-commands.ts'
import { gridFocusSlice } from './grid-focus.ts'
import { listingSlice } from './listing.ts'
import { selectOnly } from './selection.ts'

const isOpen = (workspace: Workspace) => workspace.use(overlaysSlice).current.value.kind === 'quickLook'
/** Enter and Space press the button with the focus. */
const isOnButton = () => Boolean(document.activeElement?.closest('button, a[href], video, audio'))

/** The quick look: a file over the list, while the selection moves on in the list. */
export const quickLookCommands: readonly Command[] = [
  {
    id: 'quickLook.open',
    label: 'preview.quickLook',
    keys: ['Space'],
    scope: 'listing',
    keyOnly: true,
    allowed: () => Boolean(document.activeElement?.closest('[data-entry]')),
    run: open,
  },
  {
    id: 'quickLook.close',
    label: 'action.close',
    keys: ['Space'],
    scope: 'overlay',
    keyOnly: true,
    allowed: isOpen,
    takesKey: () => !isOnButton(),
    run: (workspace) => workspace.use(overlaysSlice).close('quickLook'),
  },
  {
    id: 'quickLook.show',
    label: 'listing.command.open',
    keys: ['Enter'],
    scope: 'overlay',
    keyOnly: true,
    allowed: isOpen,
    takesKey: () => !isOnButton(),
    run: (workspace) => openEntry(workspace, workspace.use(listingSlice).selected.peek()[0]),
  },
  step('quickLook.next', 'preview.next', 'ArrowDown', () => 1),
  step('quickLook.previous', 'preview.previous', 'ArrowUp', () => -1),
  step('quickLook.right', 'preview.command.step', 'ArrowRight', () => (locale.value.dir === 'rtl' ? -1 : 1)),
  step('quickLook.left', 'preview.command.step', 'ArrowLeft', () => (locale.value.dir === 'rtl' ? 1 : -1)),
]

function step(id: string, label: Key, key: string, by: () => 1 | -1): Command {
  return {
    id,
    label,
    keys: [key],
    scope: 'overlay',
    keyOnly: true,
    repeats: true,
    allowed: isOpen,
    run: (workspace) => workspace.use(listingSlice).selectBeside(by()),
  }
}

// While a click adds to the selection, Space adds too.
function open(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  const gridFocus = workspace.use(gridFocusSlice)
  if (listing.isMultiple.peek()) {
    gridFocus.toggleFocused()
    return
  }
  const entry = gridFocus.focused()
  if (!entry) return
  listing.selection.value = selectOnly(entry.key)
  workspace.use(overlaysSlice).open({ kind: 'quickLook' })
}
