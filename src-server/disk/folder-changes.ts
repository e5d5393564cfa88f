import type { ChangedNames } from './disk-facts.ts'

/** With more changed names than this, only the fact of a change is kept. */
const mostNames = 1000

/** Changes of a folder that one reader has not read yet, each name once. */
export class FolderChanges {
  readonly #names = new Set<string>()
  readonly #isShown: (name: string) => boolean
  #hasOthers = false
  #reports = 0
  #isEnded = false
  #wake: () => void = () => {}

  /** @param isShown whether changes of this name are reported */
  constructor(isShown: (name: string) => boolean = () => true) {
    this.#isShown = isShown
  }

  /** @param name undefined for any name */
  add(name: string | undefined): void {
    if (name !== undefined && !this.#isShown(name)) return
    this.#reports++
    if (name === undefined || this.#names.size >= mostNames) this.#hasOthers = true
    else if (!this.#hasOthers) this.#names.add(name)
    if (this.#hasOthers) this.#names.clear()
    this.#wake()
  }

  /** How often a change was reported: it stays the same while nothing changes. */
  get reports(): number {
    return this.#reports
  }

  /** Whether more names than `count` wait to be read. */
  areMoreThan(count: number): boolean {
    return this.#hasOthers || this.#names.size > count
  }

  /** No more changes follow. */
  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  /** Waits until something has changed. @returns undefined at the end */
  async next(): Promise<ChangedNames | undefined> {
    return (await this.ready()) ? this.take() : undefined
  }

  /** Waits until something has changed. @returns false at the end */
  async ready(): Promise<boolean> {
    while (!this.#isEnded && this.#names.size === 0 && !this.#hasOthers) {
      const woken = Promise.withResolvers<void>()
      this.#wake = woken.resolve
      await woken.promise
    }
    return !this.#isEnded
  }

  /** What has changed since the last call. */
  take(): ChangedNames {
    const changed = { names: [...this.#names], hasOthers: this.#hasOthers }
    this.#names.clear()
    this.#hasOthers = false
    return changed
  }
}
