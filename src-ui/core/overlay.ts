import { signal } from '@preact/signals-core'
import type { Target } from './command.ts'
import { slice, type Workspace } from './workspace.ts'

/** The kinds of overlay, each with its data. A feature adds its own by declaration merging, and draws them. */
export interface OverlayKinds {
  none: object
  /** The sidebar as a drawer, below 900 px. */
  sidebar: object
  /** The header's menus. */
  more: object
  new: object
  sort: object
  /** The menu of the mosaic. */
  view: object
  /** The menu of the file that is shown. */
  viewer: object
  palette: object
  search: object
  help: object
  /** The menu of entries, of the folder, or of entries of the trash; where it was asked for, in pixels of the window. */
  context: { of: 'selection' | 'folder' | 'trash'; target: Target; at: { x: number; y: number } }
}

/** What is open over the page: one at a time. The sign-in after the end of a session is asked for above it: `isSignInAsked`. */
export type Overlay = { [K in keyof OverlayKinds]: { kind: K } & OverlayKinds[K] }[keyof OverlayKinds]
/** What a component that draws an overlay gets. */
export type Opened<K extends keyof OverlayKinds> = OverlayKinds[K] & { kind: K; onClose: () => void }
export type OpenOverlay = Exclude<Overlay, { kind: 'none' }>

/** A question of the system. It waits until nothing is open, and is shown again after another overlay was opened over it. */
type Question = { overlay: OpenOverlay; onClose: () => void }

/** A question that was asked: it can be changed, and withdrawn when it is no longer needed. */
export type Prompt = { update(overlay: OpenOverlay): void; withdraw(): void }

export class Overlays {
  readonly current = signal<Overlay>({ kind: 'none' })
  #questions: Question[] = []
  #asked: Question | undefined

  /** Opens this and closes whatever else is open. A question of the system waits behind it. */
  open(wanted: OpenOverlay): void {
    this.#asked = undefined
    this.current.value = wanted
  }

  /** Closes what is open or, when a kind is named, only that: what was opened since stays. */
  close(kind?: Overlay['kind']): void {
    const value = this.current.peek()
    if (value.kind === 'none' || (kind && value.kind !== kind)) return
    const question = this.#asked
    this.#asked = undefined
    if (question) this.#questions = this.#questions.filter((one) => one !== question)
    this.current.value = { kind: 'none' }
    question?.onClose()
    this.#next()
  }

  /**
   * Closes what the person has opened, when they go back or to another address. A question of the system stays until it is answered:
   * to close it would drop what waits for the answer.
   * @returns whether something was open
   */
  leave(): boolean {
    const isOpen = this.current.peek().kind !== 'none'
    if (!this.#asked) this.close()
    return isOpen
  }

  /**
   * Asks something as soon as nothing is open. `onClose` is called when the person has closed it, not when it is withdrawn.
   */
  ask(overlay: OpenOverlay, onClose: () => void = () => {}): Prompt {
    const question = { overlay, onClose }
    this.#questions.push(question)
    this.#next()
    return {
      update: (changed) => {
        question.overlay = changed
        if (this.#asked === question) this.current.value = changed
      },
      withdraw: () => this.#withdraw(question),
    }
  }

  #withdraw(question: Question): void {
    this.#questions = this.#questions.filter((one) => one !== question)
    if (this.#asked !== question) return
    this.#asked = undefined
    this.current.value = { kind: 'none' }
    this.#next()
  }

  #next(): void {
    const [question] = this.#questions
    if (!question || this.current.peek().kind !== 'none') return
    this.#asked = question
    this.current.value = question.overlay
  }
}

export const overlaysSlice = slice('overlays', () => new Overlays())

/**
 * Whether something is open over the page, or the person writes in a field outside `place`. The end of some work must not take the focus
 * then: what is open would close, and what is typed would go to the entries.
 */
export function isBusyElsewhere(workspace: Workspace, place: Element | null): boolean {
  // The rename in place is open until its row is shown.
  if (!['none', 'rename'].includes(workspace.use(overlaysSlice).current.peek().kind)) return true
  const active = document.activeElement
  return Boolean(active?.matches('input, textarea') && !place?.contains(active))
}
