import { Coalesced } from '../core/coalesce.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import type { Workspace } from '../core/workspace.ts'

/** Minimal time in ms between the end of one listing and the next. */
const shortestPause = 1000
/** For large folders the pause is this many times the duration of the listing. */
const restFactor = 4

/** Refreshes the shown folder during uploads into it, without a listing for each upload. */
export class Arrivals {
  readonly #workspace: Workspace
  readonly #refreshes: Coalesced

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    const pause = (took: number) => Math.max(shortestPause, restFactor * took)
    this.#refreshes = new Coalesced(workspace, pause, () => workspace.use(entryViewSlice).refreshQuietly())
  }

  /** Records that an upload into this folder has finished. */
  note(folder: string): void {
    if (this.#workspace.use(entryViewSlice).currentPath.peek() === folder) this.#refreshes.request()
  }

  /** Cancels the pending refresh, when the folder is refreshed otherwise. */
  clear(): void {
    this.#refreshes.cancel()
  }
}
