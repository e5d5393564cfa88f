import { computed, signal } from '@preact/signals-core'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { getItem, setItem, storageKey } from '../core/storage.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { transfer } from './transfer.ts'

export type ClipboardContent = {
  /** Copied or cut. */
  key: 'c' | 'x'
  items: readonly Item[]
  /** The folder that held them. */
  path: string
}

const noKeys: ReadonlySet<string> = new Set()

/** What was copied or cut in the listing. The system's clipboard holds no paths. */
export class Clipboard {
  readonly #workspace: Workspace
  readonly content = signal<ClipboardContent | undefined>(undefined)
  /** The entries that are cut and not yet pasted, by key. */
  readonly cutKeys = computed<ReadonlySet<string>>(() => {
    const { value } = this.content
    return value?.key === 'x' ? new Set(value.items.map(({ path }) => path)) : noKeys
  })

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Copies or cuts items. */
  take(key: 'c' | 'x', items: readonly Item[]): void {
    this.content.value = { key, items, path: this.#workspace.use(entryViewSlice).currentPath.value }
    const text = t(key === 'x' ? 'clipboard.cut' : 'clipboard.copied', { count: items.length })
    this.#workspace.use(noticesSlice).succeed(text)
  }

  /** Copies or moves the items into a folder. What was cut is pasted once; what could not be moved stays cut. */
  async paste(folder: string): Promise<void> {
    const { value } = this.content
    if (!value) return
    const isCut = value.key === 'x'
    if (isCut) this.content.value = undefined
    const { items } = value
    const remaining = await transfer(this.#workspace, { action: isCut ? 'move' : 'copy', items, to: folder })
    if (isCut && remaining.length > 0 && !this.content.value) this.content.value = { ...value, items: remaining }
  }
}

export const clipboardSlice = slice('clipboard', (workspace) => new Clipboard(workspace))

/** A clipboard of more entries than this is not kept: the browser's storage is small. */
const mostKept = 5000

/**
 * Keeps the clipboard of a person in all tabs of this browser and over a reload, until they sign out. It is the page's own: the
 * system's clipboard holds no paths.
 */
export function keepClipboard(workspace: Workspace, page: Pick<Window, 'addEventListener' | 'removeEventListener'>): void {
  const person = workspace.user.peek()?.id
  if (person === undefined) return
  const { content } = workspace.use(clipboardSlice)
  const name = `clipboard:${person}`
  const read = () => {
    content.value = contentOf(getItem(name))
  }
  read()
  workspace.listen(page, 'storage', ({ key }) => {
    if (key === storageKey(name) || key === null) read()
  })
  workspace.onDispose(() => setItem(name, undefined))
  workspace.effect(() => {
    const { value } = content
    const isKept = value !== undefined && value.items.length <= mostKept
    const text = isKept ? JSON.stringify({ ...value, items: value.items.map(plain) }) : undefined
    if (text !== getItem(name)) setItem(name, text)
  })
}

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
