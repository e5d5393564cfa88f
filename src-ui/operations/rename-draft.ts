import { signal } from '@preact/signals-core'
import { overlaysSlice } from '../core/overlay.ts'
import { slice, type Workspace } from '../core/workspace.ts'
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
  }

  /** The draft of the open rename, the same object until it is closed. */
  draftOf(name: string): RenameDraft {
    const open = this.#workspace.use(overlaysSlice).current.peek()
    if (this.#current?.of !== open) this.#current = { of: open, draft: new RenameDraft(name) }
    return this.#current.draft
  }
}

export const renameDraftsSlice = slice('renameDrafts', (workspace) => new RenameDrafts(workspace))
