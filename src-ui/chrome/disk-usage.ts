import { computed, signal } from '@preact/signals-core'
import type { Usage } from '../../src-server/contract/files.ts'
import { call } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { presenceSlice } from '../core/presence.ts'
import { slice, type Workspace } from '../core/workspace.ts'

/** Milliseconds after which the space is asked for again while the page is visible. */
const refreshPause = 300_000
/** Milliseconds after a change or another folder: the listing comes first, and several changes are asked about once. */
const settling = 1000

/** The space of the file system that holds the folder that is shown. */
export class DiskUsage {
  /** undefined until it is known, and where the server does not say. */
  readonly usage = signal<Usage | undefined>(undefined)
  readonly #workspace: Workspace
  #asking: AbortController | undefined

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    if (pageConfig.DisableUsedPercentage) return
    const { state } = workspace.use(entryViewSlice)
    const { isVisible } = workspace.use(presenceSlice)
    const folder = computed(() => (state.value.kind === 'folder' ? state.value : undefined))
    workspace.effect(() => {
      const shown = folder.value
      if (!shown || !isVisible.value) return
      return this.#askAfter(settling, shown.path)
    })
    workspace.onDispose(() => this.#asking?.abort())
  }

  /** @returns a function that calls it off */
  #askAfter(delay: number, path: string): () => void {
    let clear = this.#workspace.timeout(() => {
      void this.#ask(path)
      clear = this.#askAfter(refreshPause, path)
    }, delay)
    return () => clear()
  }

  async #ask(path: string): Promise<void> {
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    try {
      const usage = await call('GET /api/usage/*', { path, signal, isBackground: true })
      if (!signal.aborted) this.usage.value = usage.total > 0 ? usage : undefined
    } catch {
      // The number is an extra. Whatever is wrong is reported where it matters.
      if (!signal.aborted) this.usage.value = undefined
    }
  }
}

export const diskUsageSlice = slice('diskUsage', (workspace) => new DiskUsage(workspace))
