import { signal } from '@preact/signals-core'
import { getItem, setItem } from '../core/storage.ts'
import { slice } from '../core/workspace.ts'

/** What commands do with the text that is open. The lazy part implements it. */
export type OpenedText = {
  readonly path: string
  readonly name: string
  readonly isDirty: { readonly value: boolean; peek(): boolean }
  readonly mode: { readonly value: Mode; peek(): Mode }
  /** @returns whether the text is stored on the server now */
  save(): Promise<boolean>
  find(): void
  goToLine(): void
  setMode(mode: Mode): void
  mayEdit(): boolean
  hasReading(): boolean
  /** Forgets what is not saved, and its draft. */
  discard(): Promise<void>
}

/** `read`: the rendered document or table. `source`: the text, which cannot be changed. */
export type Mode = 'read' | 'source' | 'edit'

const isWrapName = 'editor.wrap'

/** The text that is open, and the settings of the editor. */
export class Editor {
  readonly opened = signal<OpenedText | undefined>(undefined)
  /** Whether long lines are wrapped; kept in this browser. */
  readonly isWrapped = signal(getItem(isWrapName) === 'true')

  /** The path of a file that is to be shown as text, whatever it is. */
  readonly asText = signal<string | undefined>(undefined)

  wrap(isOn: boolean): void {
    this.isWrapped.value = isOn
    setItem(isWrapName, isOn ? 'true' : undefined)
  }

  /** Whether a file has text that is not saved: its screen stays, whatever has become of the file. */
  holds(path: string): boolean {
    const { value } = this.opened
    return value?.path === path && value.isDirty.value
  }
}

export const editorSlice = slice('editor', () => new Editor())
