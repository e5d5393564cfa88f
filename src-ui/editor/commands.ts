import type { Command } from '../core/command.ts'
import type { Workspace } from '../core/workspace.ts'
import { editorSlice, type OpenedText } from './editor.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Whether unsaved text is to be left. */
    leaveEditor: { leave: () => void }
    /** The menu of the text that is open. */
    editor: object
  }
}

const openedIn = (workspace: Workspace): OpenedText | undefined => workspace.use(editorSlice).opened.value
const isEdited = (workspace: Workspace) => openedIn(workspace)?.mode.value === 'edit'
const isTextShown = (workspace: Workspace) => openedIn(workspace) !== undefined && openedIn(workspace)?.mode.value !== 'read'

/** The commands of the text editor. */
export const editorCommands: readonly Command[] = [
  {
    id: 'editor.save',
    label: 'editor.save',
    icon: 'device-floppy',
    keys: ['Mod+S'],
    scope: 'editor',
    allowed: isEdited,
    // Also when nothing has changed, as people press it to be sure.
    run: async (workspace) => void (await openedIn(workspace)?.save()),
  },
  {
    id: 'editor.edit',
    label: 'editor.edit',
    icon: 'pencil',
    keys: ['F2'],
    scope: 'editor',
    places: ['editor'],
    group: 'open',
    allowed: (workspace) => !isEdited(workspace) && (openedIn(workspace)?.mayEdit() ?? false),
    run: (workspace) => openedIn(workspace)?.setMode('edit'),
  },
  {
    id: 'editor.find',
    label: 'editor.find',
    icon: 'search',
    keys: ['Mod+F'],
    scope: 'editor',
    places: ['editor'],
    group: 'edit',
    allowed: isTextShown,
    run: (workspace) => openedIn(workspace)?.find(),
  },
  {
    id: 'editor.goToLine',
    label: 'editor.goToLine.command',
    icon: 'list',
    keys: ['Mod+G'],
    scope: 'editor',
    places: ['editor'],
    group: 'edit',
    allowed: isTextShown,
    run: (workspace) => openedIn(workspace)?.goToLine(),
  },
  {
    id: 'editor.wrap',
    label: 'editor.wrap',
    icon: 'text-wrap',
    keys: ['Alt+Z'],
    scope: 'editor',
    places: ['editor'],
    group: 'view',
    allowed: isTextShown,
    checked: (workspace) => workspace.use(editorSlice).isWrapped.value,
    run(workspace) {
      const editor = workspace.use(editorSlice)
      editor.wrap(!editor.isWrapped.peek())
    },
  },
]
