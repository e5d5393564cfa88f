import { signal } from '@preact/signals-core'
import type { ActivityLine, ActivityQuery } from '../../src-server/contract/activity.ts'
import { HttpFailure } from '../api/http.ts'
import { readLines } from '../api/lines.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'

/** Entries that are read at a time. */
export const pageSize = 200

/** `more`: there may be older ones. `off`: the server records nothing. */
type State = 'reading' | 'more' | 'all' | 'off' | 'failed'

/** The entries that fit the filters, read page by page, the newest first. */
export class ActivityEntries {
  readonly pages = signal<readonly (readonly ActivityLine[])[]>([])
  readonly state = signal<State>('reading')
  /** Why they could not be read; undefined once they are. */
  readonly failure = signal<unknown>(undefined)
  readonly #workspace: Workspace
  #query: ActivityQuery = {}
  #reading = new AbortController()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Reads the newest entries; what was shown stays until they come. */
  async load(query: ActivityQuery): Promise<void> {
    this.#query = query
    await this.#read('', [])
  }

  /** Reads the page after those that were read, or again the one that failed. */
  async more(): Promise<void> {
    const pages = this.pages.value
    await this.#read(pages.at(-1)?.at(-1)?.at ?? '', pages)
  }

  stop(): void {
    this.#reading.abort()
  }

  async #read(after: string, before: readonly (readonly ActivityLine[])[]): Promise<void> {
    this.stop()
    this.#reading = new AbortController()
    const { signal } = this.#reading
    this.state.value = 'reading'
    try {
      const page = this.#workspace.use(tasksSlice).track(() => this.#page(after, before, signal))
      const isFull = await page
      if (!signal.aborted) this.state.value = isFull ? 'more' : 'all'
    } catch (failure) {
      if (signal.aborted) return
      this.failure.value = failure
      this.state.value = failure instanceof HttpFailure && failure.status === 404 ? 'off' : 'failed'
    }
  }

  /** Shows the entries of a page as they arrive. @returns whether the page is full */
  async #page(after: string, before: readonly (readonly ActivityLine[])[], signal: AbortSignal): Promise<boolean> {
    const page: ActivityLine[] = []
    const query = { ...this.#query, after, limit: String(pageSize) }
    for await (const lines of readLines('GET /api/activity', { path: '', query, signal })) {
      if (signal.aborted) return false
      page.push(...(lines as ActivityLine[]))
      this.pages.value = [...before, [...page]]
    }
    if (signal.aborted) return false
    this.failure.value = undefined
    if (page.length === 0) this.pages.value = before
    return page.length === pageSize
  }
}
