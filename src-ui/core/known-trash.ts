import { signal } from '@preact/signals-core'
import type { TrashList } from '../../src-server/contract/trash.ts'
import { call } from '../api/http.ts'
import { slice, type Workspace } from './workspace.ts'

/** What the page knows of the trash of its person. */
export class KnownTrash {
  /** undefined until the server has told. */
  readonly facts = signal<Pick<TrashList, 'isOn' | 'days' | 'total' | 'isNews'> | undefined>(undefined)
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Whether the person may look into the trash, and there may be something to see. */
  isShown(): boolean {
    const { value } = this.facts
    return value !== undefined && mayUseTrash(this.#workspace) && (value.isOn || value.total > 0)
  }

  /** Asks the server again. A failure is not reported: what it is about is asked or refused where it matters. */
  async ask(): Promise<void> {
    const { signal } = this.#workspace
    const asked = call('GET /api/trash', { query: { limit: '1' }, signal, isBackground: true })
    await asked.then(
      (facts) => {
        this.facts.value = facts
      },
      () => {},
    )
  }
}

/** Whether this person sees what is in the trash, and may put it back. */
export const mayUseTrash = (workspace: Workspace): boolean => workspace.may('download') && workspace.may('create')

export const knownTrashSlice = slice('knownTrash', (workspace) => new KnownTrash(workspace))
