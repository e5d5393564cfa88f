import { computed, signal } from '@preact/signals-core'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { presenceSlice } from '../core/presence.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { transfer } from './lazy-operations.ts'

export type ClipboardContent = {
  /** Copied or cut. */
  key: 'c' | 'x'
  items: readonly Item[]
  /** The folder that held them. */
  path: string
}

const noKeys: ReadonlySet<string> = new Set()

/** What was copied or cut in the listing. The system's clipboard holds no paths, only the names. */
export class Clipboard {
  readonly #workspace: Workspace
  /** How often the person had returned to this page when something was taken here. */
  #takenAt: number | undefined
  readonly content = signal<ClipboardContent | undefined>(undefined)
  /** Pastes that came before it was read what is kept over a reload; undefined from then on. */
  early: (() => void)[] | undefined = []
  /** The entries that are cut and not yet pasted, by key. */
  readonly cutKeys = computed<ReadonlySet<string>>(() => {
    const { value } = this.content
    return value?.key === 'x' ? new Set(value.items.map(({ path }) => path)) : noKeys
  })

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Whether this is surely newer than what the system's clipboard holds: the person has not left the page since. */
  get isNewest(): boolean {
    return this.content.peek() !== undefined && this.#takenAt === this.#workspace.use(presenceSlice).returns.peek()
  }

  /** Copies or cuts items. */
  take(key: 'c' | 'x', items: readonly Item[]): void {
    this.#takenAt = this.#workspace.use(presenceSlice).returns.peek()
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
