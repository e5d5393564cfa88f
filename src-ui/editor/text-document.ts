import { history } from '@codemirror/commands'
import { gotoLine, openSearchPanel } from '@codemirror/search'
import type { Text, TransactionSpec } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import { EditorView, type ViewUpdate } from '@codemirror/view'
import { effect, type Signal, signal, untracked } from '@preact/signals-core'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { editing, parts, readOnly, viewing, wrapping } from './code-setup.ts'
import { DraftKeeper } from './draft-keeper.ts'
import type { Draft } from './drafts.ts'
import { editorSlice, type Mode, type OpenedText } from './editor.ts'
import { endingRanges, type LineEnding, otherEndings, setEndings, splitEndings, writeDocument } from './line-endings.ts'
import { readingOf } from './readings.ts'
import { SaveState, type Snapshot } from './save-state.ts'
import { type FileText, readText, type Written } from './text-calls.ts'

/** One text that is open: its state in the editor, what is stored of it, and what is still to be saved. */
export class TextDocument implements OpenedText {
  readonly path: string
  readonly name: string
  readonly isDirty = signal(false)
  readonly mode: Signal<Mode>
  /** The text on the server as it was last read or saved; after a save without its new date. */
  readonly file: Signal<FileText>
  /** Line and column of the cursor, from 1. */
  readonly position = signal({ line: 1, column: 1 })
  readonly drafts: DraftKeeper
  readonly saveState: SaveState
  #usual: LineEnding = '\n'
  #saved: Text
  #state: EditorState
  #view: EditorView | undefined
  /** How often an encoding was chosen: of two quick choices the last one counts. */
  #choices = 0
  readonly #releases: (() => void)[] = []
  readonly #workspace: Workspace

  constructor(workspace: Workspace, file: FileText) {
    this.#workspace = workspace
    this.path = file.path
    this.name = nameOf(file.path)
    this.file = signal(file)
    this.mode = signal<Mode>(firstMode(this.name, file))
    this.#state = this.#stateOf(file.text)
    this.#saved = this.#state.doc
    this.drafts = new DraftKeeper(workspace, this)
    this.saveState = new SaveState(workspace, this)
    const { isWrapped } = workspace.use(editorSlice)
    this.#releases.push(
      effect(() => this.#dispatch({ effects: parts.wrap.reconfigure(wrapping(isWrapped.value)) })),
      effect(() => this.#dispatch({ effects: parts.readOnly.reconfigure(readOnly(this.mode.value !== 'edit')) })),
      effect(() => {
        if (this.mode.value === 'edit' && this.#isForbidden()) untracked(() => this.#endEditing())
      }),
    )
  }

  /** Shows the text in an element. @returns what removes it again */
  attach(parent: HTMLElement): () => void {
    const view = new EditorView({ state: this.#state, parent })
    this.#view = view
    return () => {
      this.#state = view.state
      this.#view = undefined
      view.destroy()
    }
  }

  dispose(): void {
    for (const release of this.#releases.splice(0)) release()
    this.drafts.dispose()
    this.saveState.dispose()
  }

  /** The text with the line breaks of the editor. */
  get text(): string {
    return this.#now.doc.sliceString(0)
  }

  get usualEnding(): LineEnding {
    return this.#usual
  }

  get hasOtherEndings(): boolean {
    return this.#now.field(otherEndings).size > 0
  }

  /** What would be saved now. */
  written(): Written {
    const { encoding, hasMark } = this.file.peek()
    const state = this.#now
    return { path: this.path, encoding, hasMark, text: writeDocument(state.doc, this.#usual, state.field(otherEndings)) }
  }

  mayEdit(): boolean {
    const { isWritable, isLossy } = this.file.value
    return isWritable && !isLossy && !this.#isForbidden()
  }

  /** An administrator may take the permission away while the text is open. */
  #isForbidden(): boolean {
    return this.#workspace.user.value?.perm.modify === false
  }

  /** A text that is not saved stays, and can be copied. */
  #endEditing(): void {
    this.mode.value = 'source'
    this.saveState.forbid()
  }

  hasReading(): boolean {
    return readingOf(this.name) !== undefined
  }

  setMode(mode: Mode): void {
    this.mode.value = mode
  }

  setLanguage(language: Parameters<typeof parts.language.reconfigure>[0]): void {
    this.#dispatch({ effects: parts.language.reconfigure(language) })
  }

  focus(): void {
    this.#view?.focus()
  }

  find(): void {
    if (this.#view) openSearchPanel(this.#view)
  }

  goToLine(): void {
    if (this.#view) gotoLine(this.#view)
  }

  save(): Promise<boolean> {
    return this.saveState.save()
  }

  async discard(): Promise<void> {
    this.#saved = this.#now.doc
    this.isDirty.value = false
    await this.drafts.discard()
  }

  /** Puts a kept text in place of the one that is shown, which *Undo* brings back. */
  async restore(draft: Draft): Promise<void> {
    const { encoding, hasMark, kind, version } = draft
    // The other version of a conflict was seen by the person, so that it takes the place of what is there now.
    const base = kind === 'unsaved' ? { version } : {}
    this.file.value = { ...this.file.peek(), encoding, hasMark, ...base }
    if (this.mayEdit()) this.mode.value = 'edit'
    this.#replace(draft.text)
    await this.drafts.adopt(draft)
  }

  /** Shows what is on the server now. The text that was shown can be brought back by *Undo*. */
  show(file: FileText): void {
    this.file.value = file
    this.#replace(file.text)
    this.#saved = this.#now.doc
    this.#changed()
  }

  /** Reads the file again when it may have changed. A text that is not saved stays. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { encoding } = this.file.peek()
    const found = await readText(this.path, { encoding, signal }).catch(() => undefined)
    // Another encoding may have been chosen meanwhile.
    if (!found || signal.aborted || encoding !== this.file.peek().encoding) return
    if (this.isDirty.peek() || this.saveState.isSaving.peek()) return
    if (found.version !== this.file.peek().version || found.version === undefined) this.show(found)
    else this.file.value = found
  }

  /**
   * Reads the file again in another encoding than the one that was guessed. A text that is not saved stays. *Undo* does not bring the
   * former one back: it would be saved in the encoding that was chosen.
   */
  async readAgainIn(encoding: string): Promise<void> {
    const choice = ++this.#choices
    try {
      const found = await readText(this.path, { encoding, signal: this.#workspace.signal })
      if (!found || choice !== this.#choices || this.isDirty.peek() || this.saveState.isSaving.peek()) return
      this.#dispatch({ effects: parts.history.reconfigure([]) })
      this.show(found)
      this.#dispatch({ effects: parts.history.reconfigure(history()) })
      if (!this.mayEdit() && this.mode.peek() === 'edit') this.mode.value = 'source'
    } catch (failure) {
      const name = isolate(this.name)
      this.#workspace.use(noticesSlice).fail(t('editor.notReadAgain', { name }), failureReason(failure))
    }
  }

  /** A save has stored this document: what differs from it is unsaved. */
  stored({ doc }: Snapshot, version: string | undefined): void {
    this.#saved = doc
    this.file.value = { ...this.file.peek(), version }
    this.#changed()
  }

  /** What a save stores: the text may be changed while it is sent. */
  snapshot(): Snapshot {
    return { doc: this.#now.doc, written: this.written() }
  }

  #replace(source: string): void {
    const { text, usual, others } = splitEndings(source)
    this.#usual = usual
    const { doc } = this.#now
    this.#dispatch({ changes: { from: 0, to: doc.length, insert: text }, effects: setEndings.of(others) })
  }

  get #now(): EditorState {
    return this.#view?.state ?? this.#state
  }

  #dispatch(change: TransactionSpec): void {
    if (this.#view) {
      this.#view.dispatch(change)
      return
    }
    const transaction = this.#state.update(change)
    this.#state = transaction.state
    if (transaction.docChanged) this.#changed()
  }

  #changed(): void {
    this.isDirty.value = !this.#now.doc.eq(this.#saved)
    this.drafts.changed()
  }

  #stateOf(source: string): EditorState {
    const { text, usual, others } = splitEndings(source)
    this.#usual = usual
    return EditorState.create({
      doc: text,
      extensions: [
        viewing(this.name),
        editing(),
        parts.wrap.of([]),
        parts.readOnly.of([]),
        otherEndings.init(() => endingRanges(others)),
        EditorView.updateListener.of((update) => this.#follow(update)),
      ],
    })
  }

  #follow({ docChanged, selectionSet, state }: ViewUpdate): void {
    if (docChanged) this.#changed()
    if (!docChanged && !selectionSet) return
    const { head } = state.selection.main
    const line = state.doc.lineAt(head)
    this.position.value = { line: line.number, column: head - line.from + 1 }
  }
}

/** A document that can be read is read first; other texts are edited when they may be. */
function firstMode(name: string, { isWritable, isLossy }: FileText): Mode {
  if (readingOf(name)) return 'read'
  return isWritable && !isLossy ? 'edit' : 'source'
}
