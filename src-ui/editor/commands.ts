import type { Command } from '../core/command.ts'
import { fileViewSlice, isText } from '../core/file-view.ts'
import type { Workspace } from '../core/workspace.ts'
import { editorSlice, type Mode, type OpenedText } from './editor.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Whether unsaved text is to be left. */
    leaveEditor: { leave: () => void }
  }
}

const openedIn = (workspace: Workspace): OpenedText | undefined => workspace.use(editorSlice).opened.value
const isEdited = (workspace: Workspace) => openedIn(workspace)?.mode.value === 'edit'
const isTextShown = (workspace: Workspace) => openedIn(workspace) !== undefined && openedIn(workspace)?.mode.value !== 'read'

const isShownAsText = (workspace: Workspace, path: string) => workspace.use(editorSlice).asText.value === path

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
    keys: ['Mod+E'],
    scope: 'editor',
    places: ['viewer'],
    group: 'open',
    allowed: (workspace) => !isEdited(workspace) && (openedIn(workspace)?.mayEdit() ?? false),
    run: (workspace) => openedIn(workspace)?.setMode('edit'),
  },
  {
    id: 'editor.openAsText',
    label: 'editor.openAsText',
    icon: 'file-text',
    scope: 'viewer',
    places: ['viewer'],
    group: 'open',
    allowed(workspace) {
      const file = workspace.use(fileViewSlice).file.value
      return file !== undefined && !isText(file) && !isShownAsText(workspace, file.path) && workspace.may('download')
    },
    run(workspace) {
      workspace.use(editorSlice).asText.value = workspace.use(fileViewSlice).file.peek()?.path
    },
  },
  {
    id: 'editor.close',
    label: 'preview.command.close',
    keys: ['Escape', 'Backspace', 'Alt+ArrowUp'],
    scope: 'editor',
    keyOnly: true,
    // In a text that is edited these keys are for the text.
    allowed: (workspace) => !isEdited(workspace),
    run: (workspace) => workspace.use(fileViewSlice).close(),
  },
  modeCommand('read', ['source', 'edit']),
  modeCommand('source', ['read']),
  {
    id: 'editor.find',
    label: 'editor.find',
    icon: 'search',
    keys: ['Mod+F'],
    scope: 'editor',
    places: ['viewer'],
    group: 'edit',
    allowed: isTextShown,
    run: (workspace) => openedIn(workspace)?.find(),
  },
  {
    id: 'editor.goToLine',
    label: 'editor.goToLine.command',
    icon: 'list',
    keys: ['Alt+G', 'Mod+Alt+G'],
    scope: 'editor',
    places: ['viewer'],
    group: 'edit',
    allowed: isTextShown,
    run: (workspace) => openedIn(workspace)?.goToLine(),
  },
  {
    id: 'editor.wrap',
    label: 'editor.wrap',
    icon: 'text-wrap',
    keys: ['Alt+Z', 'Mod+Alt+Z'],
    scope: 'editor',
    places: ['viewer'],
    group: 'view',
    allowed: isTextShown,
    checked: (workspace) => workspace.use(editorSlice).isWrapped.value,
    run(workspace) {
      const editor = workspace.use(editorSlice)
      editor.wrap(!editor.isWrapped.peek())
    },
  },
]

/** Shows a document as its text, or its text as a document; a phone has no room for the buttons. */
function modeCommand(to: 'read' | 'source', from: readonly Mode[]): Command {
  // Written out: a template would make all words that begin like it part of the first page.
  const id = to === 'read' ? 'editor.read' : 'editor.source'
  return {
    id,
    label: id,
    icon: to === 'read' ? 'eye' : 'file-text',
    scope: 'editor',
    places: ['viewer'],
    group: 'open',
    allowed(workspace) {
      const opened = openedIn(workspace)
      return opened !== undefined && from.includes(opened.mode.value) && opened.hasReading()
    },
    run: (workspace) => openedIn(workspace)?.setMode(to),
  }
}
