import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { ItemCount } from '../../src-server/contract/files.ts'
import { encodePath } from '../api/addresses.ts'
import { call } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { slice, type Workspace } from '../core/workspace.ts'

/** Folders of one call, so that the first numbers come soon. */
const mostAtOnce = 32
/** Characters of names and path in the address of one call. Proxies take a request line of 8 KB. */
const longestAddress = 6000
/** Milliseconds without a new or a gone row after which counts are asked for: not for rows that only pass by. */
const settleTime = 120
/** How often a folder is asked for that the server could not count in time, and after how many milliseconds. */
const [mostTries, retryTime] = [3, 2000]
/** Folders that are remembered while no row shows them. */
const mostKept = 1000

export type Counted = Pick<ItemCount, 'items' | 'hasMore'>

/** The number of entries of one folder, as long as its row is shown. */
export type WantedCount = Readonly<{
  /** Undefined until it is known; of a changed folder the old number until then. */
  state: ReadonlySignal<Counted | undefined>
  /** The row is gone. */
  release(): void
}>

type Folder = {
  readonly state: Signal<Counted | undefined>
  modified: string
  /** Rows that show it. */
  uses: number
  isWaiting: boolean
  tries: number
}

/** Asks how many entries the folders have that are shown, later than their rows: one call at a time. */
export class ItemCounts {
  readonly #workspace: Workspace
  readonly #ask: typeof askForCounts
  /** By path, those wanted last at the end. */
  readonly #folders = new Map<string, Folder>()
  #running: { paths: readonly string[]; controller: AbortController } | undefined
  #endDelay: (() => void) | undefined

  constructor(workspace: Workspace, ask = askForCounts) {
    this.#workspace = workspace
    this.#ask = ask
  }

  want({ path, modified }: Pick<Entry, 'path' | 'modified'>): WantedCount {
    const folder = this.#folders.get(path) ?? { state: signal(undefined), modified, uses: 0, isWaiting: false, tries: 0 }
    this.#folders.delete(path)
    this.#folders.set(path, folder)
    folder.uses += 1
    if (folder.modified !== modified) folder.tries = 0
    if (folder.state.peek() === undefined || folder.modified !== modified) folder.isWaiting = true
    folder.modified = modified
    this.#removeOldest()
    this.#beginSoon()
    return { state: folder.state, release: () => this.#release(folder) }
  }

  #release(folder: Folder): void {
    folder.uses -= 1
    if (folder.uses > 0) return
    folder.isWaiting = false
    if (this.#running?.paths.every((path) => !this.#folders.get(path)?.uses)) this.#running.controller.abort()
    this.#beginSoon()
  }

  #beginSoon(): void {
    this.#endDelay?.()
    this.#endDelay = this.#workspace.timeout(() => void this.#begin(), settleTime)
  }

  async #begin(): Promise<void> {
    const paths = this.#running ? [] : this.#next()
    const [first] = paths
    if (first === undefined) return
    const controller = new AbortController()
    this.#running = { paths, controller }
    for (const path of paths) this.#set(path, { isWaiting: false })
    try {
      const signal = AbortSignal.any([controller.signal, this.#workspace.signal])
      const counts = await this.#ask(parentOf(first), paths.map(nameOf), signal)
      const byName = new Map(counts.map((count) => [count.name, count]))
      for (const path of paths) this.#show(path, byName.get(nameOf(path)))
    } catch {
      // A row without a number says enough.
    }
    this.#running = undefined
    this.#beginSoon()
  }

  /** Waiting folders of one folder, those wanted first at the beginning. */
  #next(): string[] {
    const waiting = [...this.#folders].filter(([, { isWaiting }]) => isWaiting).map(([path]) => path)
    const parent = parentOf(waiting[0] ?? '/')
    let left = longestAddress - encodePath(parent).length
    return waiting
      .filter((path) => parentOf(path) === parent)
      .slice(0, mostAtOnce)
      .filter((path, index) => {
        left -= encodeURIComponent(namesInQuery([nameOf(path)])).length + ','.length * 3
        return left >= 0 || index === 0
      })
  }

  #show(path: string, counted: Counted | undefined): void {
    const folder = this.#folders.get(path)
    if (!folder) return
    folder.state.value = counted && { items: counted.items, hasMore: counted.hasMore }
    folder.tries = counted ? 0 : folder.tries + 1
    if (counted || folder.tries >= mostTries) return
    this.#workspace.timeout(() => {
      folder.isWaiting = folder.uses > 0
      this.#beginSoon()
    }, retryTime)
  }

  #set(path: string, change: Pick<Folder, 'isWaiting'>): void {
    Object.assign(this.#folders.get(path) ?? {}, change)
  }

  #removeOldest(): void {
    for (const [path, { uses }] of this.#folders) {
      if (this.#folders.size <= mostKept) return
      if (uses === 0) this.#folders.delete(path)
    }
  }
}

export const itemCountsSlice = slice('itemCounts', (workspace) => new ItemCounts(workspace))

const namesInQuery = (names: readonly string[]): string => names.map(encodeURIComponent).join(',')

async function askForCounts(folder: string, names: readonly string[], signal: AbortSignal): Promise<readonly ItemCount[]> {
  // Each is a name in an address, inside the query.
  const query = { names: namesInQuery(names) }
  return (await call('GET /api/counts/*', { path: folder, query, signal, isBackground: true })).counts
}
