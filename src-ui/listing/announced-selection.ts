// Tells screen readers how many entries are selected.
import { effect, type ReadonlySignal } from '@preact/signals-core'
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'

/** Milliseconds without change after which it is told how many are left. What has removed them is told before. */
const pause = 2000

type Selected = Readonly<{
  selected: ReadonlySignal<readonly unknown[]>
  /** Another object whenever the entries are others. */
  shown: ReadonlySignal<unknown>
}>

/** @returns what ends it */
export function announceSelected(workspace: Workspace, { selected, shown }: Selected): () => void {
  const announced = new AnnouncedSelection(workspace, selected.peek().length, shown.peek())
  const end = effect(() => announced.note(selected.value.length, shown.value))
  return () => {
    end()
    announced.end()
  }
}

export class AnnouncedSelection {
  readonly #workspace: Workspace
  #count: number
  #shown: unknown
  #clear = () => {}

  /** @param shown another object whenever the entries are others */
  constructor(workspace: Workspace, count: number, shown: unknown) {
    this.#workspace = workspace
    this.#count = count
    this.#shown = shown
  }

  /** Announces the number, except for a single entry, which the screen reader reads when it gets the focus. */
  note(count: number, shown: unknown): void {
    // A job takes thousands away, some at a time.
    const isTaken = shown !== this.#shown && count < this.#count
    const isSame = count === this.#count
    const isFocused = count === 1 && this.#count === 0
    this.#count = count
    this.#shown = shown
    if (isSame) return
    this.#clear()
    // What has removed all of them, or has left the folder, is told anyway.
    if (isFocused || (isTaken && count === 0)) return
    const announce = () => this.#workspace.use(noticesSlice).announce(t('listing.selected', { count }))
    if (isTaken) this.#clear = this.#workspace.timeout(announce, pause)
    else announce()
  }

  /** What is not announced yet is left out. */
  end(): void {
    this.#clear()
  }
}
