import { signal } from '@preact/signals-core'
import type { TreeSize } from '../../src-server/contract/files.ts'
import { callInLines } from '../api/lines.ts'

export type FolderSizeState =
  | { kind: 'none' }
  | { kind: 'counting'; counted: TreeSize }
  | { kind: 'done'; counted: TreeSize }
  /** The person has stopped it: the numbers are too small. */
  | { kind: 'stopped'; counted: TreeSize }
  | { kind: 'failed'; failure: unknown }

const nothing: TreeSize = { bytes: 0, files: 0, folders: 0, unlisted: 0 }

/** What some folders hold together, counted by the server one folder after the other. */
export class FolderSize {
  readonly #paths: readonly string[]
  readonly state = signal<FolderSizeState>({ kind: 'none' })
  #running: AbortController | undefined

  /** @param paths of the folders, decoded */
  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  /** Begins anew. */
  async count(): Promise<void> {
    this.#running?.abort()
    const controller = new AbortController()
    this.#running = controller
    const { signal } = controller
    const set = (state: FolderSizeState) => {
      if (!signal.aborted) this.state.value = state
    }
    set({ kind: 'counting', counted: nothing })
    try {
      let before = nothing
      for (const path of this.#paths) {
        const onLine = (line: object) => set({ kind: 'counting', counted: sum(before, line as TreeSize) })
        before = sum(before, await callInLines('GET /api/size/*', { path, signal, onLine }))
        set({ kind: 'counting', counted: before })
      }
      set({ kind: 'done', counted: before })
    } catch (failure) {
      set({ kind: 'failed', failure })
    }
  }

  /** Stops the server's work too, and keeps the numbers. */
  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    const state = this.state.peek()
    if (state.kind === 'counting') this.state.value = { kind: 'stopped', counted: state.counted }
  }
}

function sum(a: TreeSize, b: TreeSize): TreeSize {
  return {
    bytes: a.bytes + b.bytes,
    files: a.files + b.files,
    folders: a.folders + b.folders,
    unlisted: a.unlisted + b.unlisted,
  }
}
