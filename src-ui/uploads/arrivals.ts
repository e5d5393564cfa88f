import { entryViewSlice } from '../core/entry-view.ts'
import type { Workspace } from '../core/workspace.ts'

/** The shortest time between the end of one listing and the next, in milliseconds. */
const shortestPause = 1000
/** A large folder is read more seldom: the pause is so many times what its listing takes. */
const restFactor = 4

/** Shows what has arrived in the folder that is shown while other uploads go on, without a listing for each. */
export class Arrivals {
  readonly #workspace: Workspace
  #isDue = false
  #isRunning = false

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** An upload into this folder has finished. */
  note(folder: string): void {
    if (this.#workspace.use(entryViewSlice).currentPath.peek() !== folder) return
    this.#isDue = true
    if (!this.#isRunning) void this.#run()
  }

  /** What has arrived is shown otherwise. */
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

  // It never ends when the workspace is disposed meanwhile.
  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#workspace.timeout(resolve, milliseconds))
  }
}
