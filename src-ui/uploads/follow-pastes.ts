import { readChosen } from '../api/read-drop.ts'
import { commandTableSlice, isAllowed, isReady } from '../core/command.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { isTyping } from '../core/keyboard.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { run } from '../core/run.ts'
import { isSignInAsked } from '../core/session.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { clipboardSlice } from '../operations/clipboard.ts'
import { uploadsSlice } from './uploads-slice.ts'

/**
 * Uploads files and pictures that are pasted into the page. Without any, pastes what was copied or cut in the page, or says that there
 * is nothing. The keys reach this unless something was copied or cut here and the person has not left the page since.
 * @returns what stops it
 */
export function followPastes(workspace: Workspace, page: Window): () => void {
  const paste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    const view = workspace.use(entryViewSlice)
    const isCovered = workspace.use(overlaysSlice).current.value.kind !== 'none' || isSignInAsked.value
    if (isTyping(event.target) || isCovered) return
    const command = workspace.use(commandTableSlice).get('clipboard.paste')
    if (files.length === 0 && isAllowed(workspace, command) && isReady(workspace, command)) {
      void run(workspace, command)
      return
    }
    if (!view.may('create')) return
    const { early } = workspace.use(clipboardSlice)
    if (files.length === 0 && early) {
      early.push(() => paste(event))
      return
    }
    if (files.length === 0) {
      workspace.use(noticesSlice).fail(t('clipboard.empty'), t('command.reason.nothingTaken'))
      return
    }
    event.preventDefault()
    void workspace.use(uploadsSlice).uploadDropped(view.currentPath.value, [readChosen(files.map(named))])
  }
  page.addEventListener('paste', paste)
  return () => page.removeEventListener('paste', paste)
}

/** Browsers call each picture without a file `image.png`: it gets a name with its time instead. */
function named(file: File): File {
  if (file.name !== 'image.png') return file
  const { lastModified: at, type } = file
  return new File([file], t('uploads.pictureName', { time: timeFor(new Date(at)) }), { type, lastModified: at })
}

/** `2026-11-22 15.04.09`, in local time and with characters that every file system takes. */
function timeFor(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}.${two(at.getMinutes())}.${two(at.getSeconds())}`
}
