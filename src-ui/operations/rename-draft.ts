import { signal, untracked } from '@preact/signals-core'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { splitEnding } from '../ui/file-names.ts'
import { rename } from './lazy-operations.ts'
import type { How } from './rename.ts'

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

  /** Ends the rename of an entry that has gone. */
  #end(entry: Entry): void {
    const draft = this.#openDraft()
    // It is renamed just now, and the folder is shown before the call is answered.
    if (draft?.isGiven) return
    this.#workspace.use(overlaysSlice).close('rename')
    this.#tell('prompts.rename.gone', entry, draft)
  }

  /** The name that was typed stays readable: it may have been long. */
  #tell(what: 'prompts.rename.gone' | 'prompts.rename.notDone', { name }: Entry, draft?: RenameDraft, refused?: string): void {
    const typed = draft?.name.peek().trim() ?? name
    const said = typed === name ? undefined : t('prompts.rename.typed', { name: isolate(typed) })
    const detail = [refused, said].filter(Boolean).join(' ') || undefined
    this.#workspace.use(noticesSlice).fail(t(what, { name: isolate(name) }), detail)
  }

  /** Renames to the name that was typed. A refusal is shown beside the field, or in a notice when there is none any more. */
  async give(entry: Entry, draft: RenameDraft, how?: How): Promise<void> {
    if (draft.isGiven) return
    draft.isGiven = true
    const refused = await rename(this.#workspace, entry, draft.name.peek(), how).finally(() => {
      draft.isGiven = false
    })
    const isOpen = this.#openDraft() === draft
    // When somebody has deleted the entry meanwhile, no field is drawn.
    const isShown = isOpen && !this.#goneEntry()
    if (isOpen && (refused === undefined || !isShown)) this.#workspace.use(overlaysSlice).close('rename')
    if (refused === undefined) return
    if (isShown) draft.problem.value = refused
    else this.#tell('prompts.rename.notDone', entry, draft, refused)
  }

  /** The draft of the rename that is open. */
  #openDraft(): RenameDraft | undefined {
    return this.#current?.of === this.#workspace.use(overlaysSlice).current.peek() ? this.#current.draft : undefined
  }

  /** The draft of the open rename, the same object until it is closed. */
  draftOf(name: string): RenameDraft {
    const open = this.#workspace.use(overlaysSlice).current.peek()
    if (this.#current?.of !== open) this.#current = { of: open, draft: new RenameDraft(name) }
    return this.#current.draft
  }
}

export const renameDraftsSlice = slice('renameDrafts', (workspace) => new RenameDrafts(workspace))
