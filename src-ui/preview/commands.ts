import type { Command } from '../core/command.ts'
import { fileViewSlice } from '../core/file-view.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import type { Key } from '../i18n/t.ts'
import { hasFullSize } from './kinds.ts'
import { isOnControl } from './on-control.ts'
import { playerCommands } from './player-commands.ts'
import { previewSlice } from './preview.ts'

const isFileShown = (workspace: Workspace) => workspace.use(fileViewSlice).file.value !== undefined
/** Pixels by which a key moves a picture. */
const panStep = 60

const labels: Readonly<Record<string, Key>> = { previous: 'preview.previous', next: 'preview.next', pageDown: 'preview.next' }

/** The commands of the preview screen, and of the pictures in it. */
export const previewCommands: readonly Command[] = [
  stepCommand('next', ['Enter'], () => 'next'),
  stepCommand('pageDown', ['PageDown'], () => 'next'),
  stepCommand('previous', ['PageUp'], () => 'previous'),
  stepCommand('right', ['ArrowRight'], () => (locale.value.dir === 'rtl' ? 'previous' : 'next')),
  stepCommand('left', ['ArrowLeft'], () => (locale.value.dir === 'rtl' ? 'next' : 'previous')),
  {
    id: 'viewer.close',
    label: 'preview.command.close',
    keys: ['Escape', 'Backspace', 'Alt+ArrowUp'],
    scope: 'viewer',
    keyOnly: true,
    allowed: isFileShown,
    run: (workspace) => workspace.use(fileViewSlice).close(),
  },
  {
    id: 'viewer.fullSize',
    label: 'preview.command.fullSize',
    icon: 'aspect-ratio',
    scope: 'picture',
    places: ['viewer'],
    group: 'open',
    allowed(workspace) {
      const file = workspace.use(fileViewSlice).file.value
      return file?.type === 'image' && hasFullSize(file)
    },
    checked: (workspace) => workspace.use(previewSlice).isFullSize.value,
    run(workspace) {
      const { isFullSize } = workspace.use(previewSlice)
      isFullSize.value = !isFullSize.value
    },
  },
  pictureCommand('zoomIn', ['+', '='], (picture) => picture.zoomBy(1)),
  pictureCommand('zoomOut', ['-'], (picture) => picture.zoomBy(-1)),
  pictureCommand('zoomReset', ['0'], (picture) => picture.reset()),
  panCommand('ArrowLeft', { x: panStep, y: 0 }),
  panCommand('ArrowRight', { x: -panStep, y: 0 }),
  panCommand('ArrowUp', { x: 0, y: panStep }),
  panCommand('ArrowDown', { x: 0, y: -panStep }),
  ...playerCommands,
]

function stepCommand(id: string, keys: readonly string[], to: () => 'next' | 'previous'): Command {
  return {
    id: `viewer.${id}`,
    label: labels[id] ?? 'preview.command.step',
    keys,
    scope: 'viewer',
    keyOnly: true,
    repeats: !keys.includes('Enter'),
    allowed: isFileShown,
    takesKey: (workspace) => takesStep(workspace, keys),
    run(workspace) {
      const fileView = workspace.use(fileViewSlice)
      const neighbour = fileView.neighbours.peek()[to()]
      if (neighbour) fileView.show(neighbour.path)
    },
  }
}

// Enter belongs to the button with the focus, and a document is scrolled by pages.
function takesStep(workspace: Workspace, keys: readonly string[]): boolean {
  const isDocument = workspace.use(fileViewSlice).file.peek()?.type === 'pdf'
  if (isDocument && keys.some((key) => key.startsWith('Page'))) return false
  // The player with the focus seeks by the arrow keys: it acts before the page's listener.
  if (keys.some((key) => key.startsWith('Arrow')) && document.activeElement instanceof HTMLMediaElement) return false
  return !keys.includes('Enter') || !isOnControl()
}

type Control = NonNullable<ReturnType<typeof previewSlice.make>['picture']['value']>

function pictureCommand(
  id: 'zoomIn' | 'zoomOut' | 'zoomReset',
  keys: readonly string[],
  work: (picture: Control) => void,
): Command {
  return {
    id: `picture.${id}`,
    label: `preview.command.${id}`,
    keys,
    scope: 'picture',
    keyOnly: true,
    repeats: true,
    run(workspace) {
      const picture = workspace.use(previewSlice).picture.peek()
      if (picture) work(picture)
    },
  }
}

function panCommand(key: string, by: { x: number; y: number }): Command {
  return {
    id: `picture.pan.${key}`,
    label: 'preview.command.pan',
    keys: [`Shift+${key}`],
    scope: 'picture',
    keyOnly: true,
    repeats: true,
    run: (workspace) => workspace.use(previewSlice).picture.peek()?.pan(by),
  }
}
