import type { Text } from '@codemirror/state'
import { signal } from '@preact/signals-core'
import { HttpFailure } from '../api/http.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isUnreached } from '../core/failure-reason.ts'
import { type NoticeAction, noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { ConflictResolution } from './conflict-resolution.ts'
import { createText, type FileText, readText, saveText, type Written } from './text-calls.ts'
import type { TextDocument } from './text-document.ts'

/** A text at the moment of a save. */
export type Snapshot = { doc: Text; written: Written }

/** Milliseconds after which a save is tried again when the server was not reached. */
const retryTime = 5000

/** Saves one text. Whatever the server answers, the text stays in the editor. */
export class SaveState {
  readonly isSaving = signal(false)
  /** The version on the server that stands against this one, until the person has chosen. */
  readonly conflict = signal<FileText | undefined>(undefined)
  readonly resolution: ConflictResolution
  readonly #workspace: Workspace
  readonly #document: TextDocument
  #running: Promise<boolean> | undefined
  #next: Promise<boolean> | undefined
  #failure: number | undefined
  /** Whether a text waits for the connection, to be saved then. */
  readonly isWaiting = signal(false)
  /** Whether it is said meanwhile that somebody else has saved the file. */
  #isChangeSaid = false
  #stopWaiting = () => {}
  #isDisposed = false

  constructor(workspace: Workspace, document: TextDocument) {
    this.#workspace = workspace
    this.#document = document
    this.resolution = new ConflictResolution(workspace, document, this)
  }

  /** @returns whether the text is stored on the server now */
  save(): Promise<boolean> {
    if (!this.#running) return this.over(this.#document.file.peek().version)
    // What was typed since the running save began is saved after it.
    this.#next ??= this.#running.then((isStored) => {
      this.#next = undefined
      return isStored && !this.#isDisposed && this.#document.isDirty.peek() ? this.save() : isStored
    })
    return this.#next
  }

  /** Asks what to keep when the server has another text than the one that was opened, beside one that is not saved. */
  async compare(): Promise<void> {
    const document = this.#document
    if (!document.isDirty.peek()) return
    // Without an answer the next save finds it.
    const theirs = await this.#readTheirs(document.file.peek().encoding).catch(() => undefined)
    const isOther = theirs && theirs.version !== document.file.peek().version && !isSame(theirs, document.written())
    if (isOther && document.isDirty.peek() && !this.isSaving.peek() && !this.#isDisposed) this.#showConflict(theirs)
  }

  /** Saves when the file still has a version. @returns whether the text is stored on the server now */
  over(version: string | undefined): Promise<boolean> {
    this.#running ??= this.#saveNow(version).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Reports what was not done. The notice goes when a later save succeeds. */
  fail(failure: unknown, action?: NoticeAction): void {
    this.#report('editor.notSaved', failureReason(failure), action)
  }

  /** The permission to save was taken away. */
  forbid(): void {
    this.#report(this.#document.isDirty.peek() ? 'editor.notSaved' : 'editor.readOnly', t('cause.forbidden'))
  }

  async #saveNow(version: string | undefined): Promise<boolean> {
    const what = this.#document.snapshot()
    this.#stopWaiting()
    this.isSaving.value = true
    try {
      const label = t('editor.saving', { name: isolate(this.#document.name) })
      const tasks = this.#workspace.use(tasksSlice)
      this.#succeed(what, await tasks.track(() => saveText(what.written, version), label))
      return true
    } catch (failure) {
      return await this.#notSaved(failure, what)
    } finally {
      this.isSaving.value = false
    }
  }

  /** Nothing is saved later from now on: the next person would store the text. */
  dispose(): void {
    this.#isDisposed = true
    this.#stopWaiting()
  }

  /** Saves when the server can be reached again. A later attempt that fails as well is not reported once more. */
  #saveLater({ isChanged = false } = {}): void {
    if (this.#isDisposed) return
    if (!this.isWaiting.peek() || (isChanged && !this.#isChangeSaid)) {
      this.#report('editor.notSaved', t(isChanged ? 'editor.conflictLater' : 'editor.savedLater'), this.#retry())
      this.#isChangeSaid = isChanged
    }
    this.isWaiting.value = true
    const again = () => {
      if (this.#document.isDirty.peek()) void this.save()
      else this.#endWaiting()
    }
    // The browser reports a network that is back, but not a server.
    const clearTimer = this.#workspace.timeout(again, retryTime)
    if (typeof window !== 'undefined') window.addEventListener('online', again)
    this.#stopWaiting = () => {
      clearTimer()
      if (typeof window !== 'undefined') window.removeEventListener('online', again)
    }
  }

  #endWaiting(): void {
    this.#stopWaiting()
    this.isWaiting.value = false
    this.#isChangeSaid = false
  }

  #succeed(what: Snapshot, version: string | undefined): void {
    this.#document.stored(what, version)
    this.#endWaiting()
    this.conflict.value = undefined
    const notices = this.#workspace.use(noticesSlice)
    if (this.#failure !== undefined) notices.dismiss(this.#failure)
    notices.succeed(t('editor.saved', { name: isolate(this.#document.name) }))
    void this.#workspace.use(entryViewSlice).refreshQuietly()
  }

  async #notSaved(failure: unknown, what: Snapshot): Promise<boolean> {
    const status = failure instanceof HttpFailure ? failure.status : undefined
    // A proxy answers for a server that starts again.
    const isAway = status === 0 || (this.isWaiting.peek() && [502, 503, 504].includes(status ?? 0))
    if (!isAway) this.isWaiting.value = false
    if (status === 412) return this.#changedMeanwhile(what)
    if (status === 404) {
      const createAgain = { label: t('editor.createAgain'), run: () => void this.#create() }
      this.#report('editor.gone', t('editor.goneText'), createAgain)
    } else if (isAway) this.#saveLater()
    else if (status === 400 && what.written.encoding !== 'utf-8') this.fail(failure, this.#asUtf8())
    else this.fail(failure, this.#retry())
    return false
  }

  /** Also when the answer to an earlier save was lost: then the server has this very text. */
  async #changedMeanwhile(what: Snapshot): Promise<boolean> {
    try {
      const theirs = await this.#readTheirs(what.written.encoding)
      if (theirs && isSame(theirs, what.written)) {
        this.#succeed(what, theirs.version)
        return true
      }
      if (theirs) this.#showConflict(theirs)
      else this.#reportNoText()
    } catch (failure) {
      // The next attempt finds the change again.
      if (isUnreached(failure)) this.#saveLater({ isChanged: true })
      else this.fail(failure, this.#retry())
    }
    return false
  }

  /** @returns whether the server has this version; a newer one takes its place in the conflict @throws HttpFailure */
  async isLatest({ version }: FileText): Promise<boolean> {
    const latest = await this.#readTheirs(this.#document.snapshot().written.encoding)
    if (latest && latest.version === version) return true
    if (latest) this.#showConflict(latest)
    else this.#reportNoText()
    return false
  }

  /** It says itself what was not saved. */
  #showConflict(theirs: FileText): void {
    this.#endWaiting()
    if (this.#failure !== undefined) this.#workspace.use(noticesSlice).dismiss(this.#failure)
    this.conflict.value = theirs
  }

  /** In the encoding that may have been chosen for it, unless it is in another one now. */
  async #readTheirs(encoding: string): Promise<FileText | undefined> {
    const { path } = this.#document
    const { signal } = this.#workspace
    const theirs = await readText(path, { encoding, signal })
    return theirs?.isLossy ? readText(path, { signal }) : theirs
  }

  /** Makes the file that was removed meanwhile. One that has its name since is not replaced. */
  async #create(): Promise<void> {
    const what = this.#document.snapshot()
    try {
      this.#succeed(what, await createText(what.written))
    } catch (failure) {
      this.fail(failure, this.#copy())
    }
  }

  #reportNoText(): void {
    this.#report('editor.notSaved', t('editor.noTextNow'), this.#copy())
  }

  #retry(): NoticeAction {
    return { label: t('action.retry'), run: () => void this.save() }
  }

  #copy(): NoticeAction {
    return { label: t('editor.conflict.copy'), run: () => void this.resolution.saveCopy() }
  }

  #asUtf8(): NoticeAction {
    const run = () => {
      const { file } = this.#document
      file.value = { ...file.peek(), encoding: 'utf-8', hasMark: false }
      void this.save()
    }
    return { label: t('editor.saveAsUtf8'), run }
  }

  /** The notice goes with its button: the focus goes back to the text. */
  #withFocus({ label, run }: NoticeAction): NoticeAction {
    return {
      label,
      run: () => {
        this.#document.focus()
        run()
      },
    }
  }

  #report(title: 'editor.notSaved' | 'editor.gone' | 'editor.readOnly', detail: string, action?: NoticeAction): void {
    const name = isolate(nameOf(this.#document.path))
    const notices = this.#workspace.use(noticesSlice)
    if (this.#failure !== undefined) notices.dismiss(this.#failure)
    this.#failure = notices.fail(t(title, { name }), detail, action && this.#withFocus(action))
  }
}

const isSame = (theirs: FileText, mine: Written): boolean =>
  theirs.text === mine.text && theirs.encoding === mine.encoding && theirs.hasMark === mine.hasMark
