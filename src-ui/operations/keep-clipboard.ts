import type { Item } from '../core/entries.ts'
import { isTyping } from '../core/keyboard.ts'
import { getItem, setItem, storageKey } from '../core/storage.ts'
import type { Workspace } from '../core/workspace.ts'
import { type ClipboardContent, clipboardSlice } from './clipboard.ts'

/** A clipboard of more entries than this is not kept: the browser's storage is small. */
const mostKept = 5000

/**
 * Keeps the clipboard of a person in all tabs of this browser and over a reload, until they sign out. It is the page's own: the
 * system's clipboard holds no paths. That one gets the names, where browsers allow it (over https), so that files that were copied
 * elsewhere before are not pasted instead.
 */
export function keepClipboard(workspace: Workspace, page: Pick<Window, 'addEventListener' | 'removeEventListener'>): void {
  const person = workspace.user.peek()?.id
  if (person !== undefined) keepFor(workspace, page, person)
  const clipboard = workspace.use(clipboardSlice)
  const { early = [] } = clipboard
  clipboard.early = undefined
  for (const paste of early) paste()
}

function keepFor(workspace: Workspace, page: Pick<Window, 'addEventListener' | 'removeEventListener'>, person: number): void {
  const clipboard = workspace.use(clipboardSlice)
  const { content } = clipboard
  const name = `clipboard:${person}`
  const read = () => {
    content.value = contentOf(getItem(name))
  }
  // Something may have been copied before this part was loaded.
  if (content.peek() === undefined) read()
  workspace.listen(page, 'storage', ({ key }) => {
    if (key === storageKey(name) || key === null) read()
  })
  workspace.onDispose(() => setItem(name, undefined))
  workspace.effect(() => {
    const { value } = content
    const isKept = value !== undefined && value.items.length <= mostKept
    const text = isKept ? JSON.stringify({ ...value, items: value.items.map(plain) }) : undefined
    if (text !== getItem(name)) setItem(name, text)
    if (value && clipboard.isNewest) void globalThis.navigator?.clipboard?.writeText(namesOf(value)).catch(() => undefined)
  })
  // Safari asks by this event whether a paste outside of text is of use.
  const allow = (event: Event) => {
    if (!isTyping(event.target)) event.preventDefault()
  }
  page.addEventListener('beforepaste', allow)
  workspace.onDispose(() => page.removeEventListener('beforepaste', allow))
}

const namesOf = ({ items }: ClipboardContent) => items.map(({ name }) => name).join('\n')

const plain = ({ path, name, isDir, size, modified }: Item): Item => ({ path, name, isDir, size, modified })

function contentOf(stored: string | undefined): ClipboardContent | undefined {
  try {
    const { key, items, path } = (JSON.parse(stored ?? '{}') ?? {}) as Partial<ClipboardContent>
    const isWhole = (key === 'c' || key === 'x') && typeof path === 'string' && Array.isArray(items)
    return isWhole && items.every((item) => typeof item?.path === 'string' && typeof item.name === 'string')
      ? { key, items, path }
      : undefined
  } catch {
    return undefined
  }
}
