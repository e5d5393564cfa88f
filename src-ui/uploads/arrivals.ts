import { entryViewSlice } from '../core/entry-view.ts'
import type { Workspace } from '../core/workspace.ts'

/** Minimal time in ms between the end of one listing and the next. */
const shortestPause = 1000
/** For large folders the pause is this many times the duration of the listing. */
const restFactor = 4

/** Refreshes the shown folder during uploads into it, without a listing for each upload. */
export class Arrivals {
  readonly #workspace: Workspace
  #isDue = false
  #isRunning = false

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Records that an upload into this folder has finished. */
  note(folder: string): void {
    if (this.#workspace.use(entryViewSlice).currentPath.peek() !== folder) return
    this.#isDue = true
    if (!this.#isRunning) void this.#run()
  }

  /** Cancels the pending refresh, when the folder is refreshed otherwise. */
  clear(): void {
    this.#isDue = false
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isDue) {
      this.#isDue = false
      const started = performance.now()
      await this.#workspace.use(entryViewSlice).refreshQuietly()
      await this.#rest(Math.max(shortestPause, restFactor * (performance.now() - started)))
    }
    this.#isRunning = false
  }

  // Never resolves when the workspace is disposed meanwhile.
  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#workspace.timeout(resolve, milliseconds))
  }
}
