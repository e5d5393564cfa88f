import { signal } from '@preact/signals-core'
import type { Workspace } from '../core/workspace.ts'
import { type Draft, type DraftKind, draftsSlice, newDraftId } from './drafts.ts'
import type { FileText, Written } from './text-calls.ts'

/** The text whose drafts are kept. */
type Kept = {
  readonly path: string
  readonly isDirty: { peek(): boolean }
  readonly file: { peek(): FileText }
  written(): Written
}

/** Milliseconds after a change until the text is stored. */
const delay = 500
/** How much longer than storing takes the next one waits, so that a large text does not keep the page busy. */
const restFactor = 10

/** Stores the unsaved text of one file in the browser, and offers the texts that were stored before. */
export class DraftKeeper {
  /** Texts of this file that were kept earlier, and that the person has not yet taken or discarded; the newest first. */
  readonly offers = signal<readonly Draft[]>([])
  /** Whether the browser could not store the text, so that closing the page loses it. */
  readonly isFailing = signal(false)
  readonly #workspace: Workspace
  readonly #text: Kept
  readonly #id = newDraftId()
  #clearTimer: (() => void) | undefined
  #running: Promise<void> = Promise.resolve()
  #isStored = false
  #wait = delay

  constructor(workspace: Workspace, text: Kept) {
    this.#workspace = workspace
    this.#text = text
  }

  /** Looks for kept texts that differ from the one on the server. */
  async look(): Promise<void> {
    const found = await this.#drafts.of(this.#text.path).catch(() => [])
    const { text } = this.#text.file.peek()
    const isOwn = ({ id }: Draft) => id === this.#id
    const isSame = (draft: Draft) => draft.text === text
    for (const draft of found) if (!isOwn(draft) && isSame(draft)) void this.#drafts.remove(draft.id).catch(() => undefined)
    this.offers.value = found.filter((draft) => !isOwn(draft) && !isSame(draft))
  }

  /** The text has changed, or was saved. */
  changed(): void {
    if (this.#text.isDirty.peek()) this.#clearTimer ??= this.#workspace.timeout(() => void this.store(), this.#wait)
    else void this.discard()
  }

  /** Stores the text now, if it is not saved. */
  store(): Promise<void> {
    this.#stopTimer()
    this.#running = this.#running.then(() => this.#storeNow())
    return this.#running
  }

  /** Removes the draft of this text. */
  discard(): Promise<void> {
    this.#stopTimer()
    this.#running = this.#running.then(async () => {
      if (!this.#isStored || this.#text.isDirty.peek()) return
      await this.#drafts.remove(this.#id).catch(() => undefined)
      this.#isStored = false
    })
    return this.#running
  }

  /** Keeps a version that was not chosen after a conflict. @throws when the browser cannot store it */
  keepOther(kind: Exclude<DraftKind, 'unsaved'>, written: Written, version: string | undefined): Promise<void> {
    const { path, text, encoding, hasMark } = written
    return this.#drafts.keep({ id: newDraftId(), kind, path, text, encoding, hasMark, version })
  }

  /** A kept text is the open one now: its draft is removed once the text is stored under the id of this one. */
  async adopt(draft: Draft): Promise<void> {
    this.offers.value = this.offers.peek().filter(({ id }) => id !== draft.id)
    await this.store()
    if (this.#isStored || !this.#text.isDirty.peek()) await this.#drafts.remove(draft.id).catch(() => undefined)
  }

  async refuse(draft: Draft): Promise<void> {
    this.offers.value = this.offers.peek().filter(({ id }) => id !== draft.id)
    await this.#drafts.remove(draft.id).catch(() => undefined)
  }

  dispose(): void {
    if (this.#clearTimer) void this.store()
  }

  get #drafts() {
    return this.#workspace.use(draftsSlice)
  }

  #stopTimer(): void {
    this.#clearTimer?.()
    this.#clearTimer = undefined
  }

  async #storeNow(): Promise<void> {
    if (!this.#text.isDirty.peek() || this.#workspace.signal.aborted) return
    const started = performance.now()
    try {
      const { path, text, encoding, hasMark } = this.#text.written()
      const { version } = this.#text.file.peek()
      await this.#drafts.keep({ id: this.#id, kind: 'unsaved', path, text, encoding, hasMark, version })
      this.#isStored = true
      this.isFailing.value = false
    } catch {
      this.isFailing.value = true
    }
    this.#wait = Math.max(delay, restFactor * (performance.now() - started))
  }
}
