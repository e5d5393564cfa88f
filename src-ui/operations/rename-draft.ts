import { signal, untracked } from '@preact/signals-core'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { splitEnding } from '../ui/file-names.ts'

/** A name that is typed in place. It outlives its field, which is rendered again when its tile moves to another row. */
export class RenameDraft {
  readonly name
  readonly problem = signal<string | undefined>(undefined)
  /** The selection in the field: at first the name without its extension. */
  range: [start: number, end: number]
  /** Whether the rename is running. */
  isGiven = false

  constructor(name: string) {
    this.name = signal(name)
    this.range = [0, splitEnding(name)[0].length]
  }
}

class RenameDrafts {
  readonly #workspace: Workspace
  #current: { of: object; draft: RenameDraft } | undefined

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    workspace.effect(() => {
      const gone = this.#goneEntry()
      if (gone) untracked(() => this.#end(gone))
    })
  }

  /** The entry whose name is typed, when it has left the folder that is shown. */
  #goneEntry(): Entry | undefined {
    const open = this.#workspace.use(overlaysSlice).current.value
    const { state, sortedEntries } = this.#workspace.use(entryViewSlice)
    if (open.kind !== 'rename' || !open.inPlace || state.value.kind !== 'folder') return undefined
    const { entry } = open
    return state.value.path === parentOf(entry.path) && sortedEntries.value.indexOf(entry.key) === undefined ? entry : undefined
  }

  /** The name that was typed stays readable: it may have been long. */
  #end({ name }: Entry): void {
    const overlays = this.#workspace.use(overlaysSlice)
    const draft = this.#current?.of === overlays.current.peek() ? this.#current.draft : undefined
    // It is renamed just now, and the folder is shown before the call is answered.
    if (draft?.isGiven) return
    const typed = draft?.name.peek().trim() ?? name
    overlays.close('rename')
    const detail = typed === name ? undefined : t('prompts.rename.typed', { name: isolate(typed) })
    this.#workspace.use(noticesSlice).fail(t('prompts.rename.gone', { name: isolate(name) }), detail)
  }

  /** The draft of the open rename, the same object until it is closed. */
  draftOf(name: string): RenameDraft {
    const open = this.#workspace.use(overlaysSlice).current.peek()
    if (this.#current?.of !== open) this.#current = { of: open, draft: new RenameDraft(name) }
    return this.#current.draft
  }
}

export const renameDraftsSlice = slice('renameDrafts', (workspace) => new RenameDrafts(workspace))
