import { signal } from '@preact/signals-core'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import type { SaveState } from './save-state.ts'
import { copyBeside, createText, underFreeName } from './text-calls.ts'
import type { TextDocument } from './text-document.ts'

/** The ways out of a conflict. What is not chosen is kept first; when it cannot be kept, nothing is changed. */
export class ConflictResolution {
  readonly isBusy = signal(false)
  readonly #workspace: Workspace
  readonly #document: TextDocument
  readonly #saveState: SaveState
  /** The version of theirs that is kept already: trying again does not keep it twice. */
  #kept: { version: string | undefined; as: string | undefined } | undefined

  constructor(workspace: Workspace, document: TextDocument, saveState: SaveState) {
    this.#workspace = workspace
    this.#document = document
    this.#saveState = saveState
  }

  /** Replaces theirs, of which a copy is made first: beside the file or, without the right to create files, in this browser. */
  keepMine(): Promise<void> {
    return this.#run(async () => {
      const theirs = this.#saveState.conflict.peek()
      if (!theirs) return
      if (!this.#kept || this.#kept.version !== theirs.version) {
        // Otherwise another version than the one that the person has seen would be copied.
        if (!(await this.#saveState.isLatest(theirs))) return
        this.#kept = { version: theirs.version, as: await this.#keepTheirs() }
      }
      const { as } = this.#kept
      if (!(await this.#saveState.over(theirs.version))) return
      this.#kept = undefined
      const notices = this.#workspace.use(noticesSlice)
      if (as === undefined) notices.succeed(t('editor.conflict.theirsInBrowser'))
      else notices.succeed(t('editor.conflict.theirsBeside', { name: isolate(nameOf(as)) }))
    })
  }

  /** Shows theirs, and keeps mine in this browser. */
  takeTheirs(): Promise<void> {
    return this.#run(async () => {
      const theirs = this.#saveState.conflict.peek()
      if (!theirs) return
      const { version } = this.#document.file.peek()
      await this.#document.drafts.keepOther('mine', this.#document.written(), version)
      this.#document.show(theirs)
      this.#saveState.conflict.value = undefined
      this.#workspace.use(noticesSlice).succeed(t('editor.conflict.mineInBrowser'))
    })
  }

  /** Saves mine under a free name beside the file, and shows theirs, if there is a conflict. */
  saveCopy(): Promise<void> {
    return this.#run(async () => {
      const what = this.#document.snapshot()
      const path = await underFreeName(this.#document.path, (free) => createText({ ...what.written, path: free }))
      const theirs = this.#saveState.conflict.peek()
      if (theirs) this.#document.show(theirs)
      else this.#document.stored(what, this.#document.file.peek().version)
      this.#saveState.conflict.value = undefined
      this.#workspace.use(noticesSlice).succeed(t('editor.conflict.copied', { name: isolate(nameOf(path)) }))
      void this.#workspace.use(entryViewSlice).refreshQuietly()
    })
  }

  /** @returns the path of the copy; undefined when it is in this browser */
  async #keepTheirs(): Promise<string | undefined> {
    if (this.#workspace.may('create')) return copyBeside(this.#document.path)
    const theirs = this.#saveState.conflict.peek()
    if (theirs) await this.#document.drafts.keepOther('theirs', theirs, theirs.version)
    return undefined
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.isBusy.peek()) return
    this.isBusy.value = true
    try {
      await work()
    } catch (failure) {
      this.#saveState.fail(failure)
    } finally {
      this.isBusy.value = false
    }
  }
}
