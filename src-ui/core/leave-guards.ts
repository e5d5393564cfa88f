import { type ReadonlySignal, signal } from '@preact/signals-core'
import { checkBeforeLeaving } from './location.ts'
import { slice, type Workspace } from './workspace.ts'

/** A reason not to leave. */
export type LeaveGuard = {
  /** Whether there may be something to lose: only then the browser is asked to warn. */
  isActive: ReadonlySignal<boolean>
  /** Whether leaving now loses something. */
  mustStay(): boolean
  /**
   * For what is lost with the screen, such as unsaved text: keeps the person on it. It asks them and calls `leave` when they
   * agree. Without it only leaving the page loses something.
   */
  onLeaveScreen?: (leave: () => void) => void
}

export class LeaveGuards {
  readonly #guards = signal<readonly LeaveGuard[]>([])

  constructor(workspace: Workspace) {
    workspace.onDispose(checkBeforeLeaving((leave) => this.mayLeaveScreen(leave)))
  }

  /** @returns what removes the guard */
  add(guard: LeaveGuard): () => void {
    this.#guards.value = [...this.#guards.peek(), guard]
    return () => {
      this.#guards.value = this.#guards.peek().filter((one) => one !== guard)
    }
  }

  /** Makes the browser warn before the page is left. It listens only when needed: the listener keeps a page out of the cache. */
  follow(workspace: Workspace, page: Pick<Window, 'addEventListener' | 'removeEventListener'>): void {
    const warn = (event: BeforeUnloadEvent) => {
      if (this.wouldLose()) event.preventDefault()
    }
    workspace.effect(() => {
      if (!this.#guards.value.some(({ isActive }) => isActive.value)) return
      page.addEventListener('beforeunload', warn)
      return () => page.removeEventListener('beforeunload', warn)
    })
  }

  /** Whether leaving the page now loses something. */
  wouldLose(): boolean {
    return this.#guards.peek().some((guard) => guard.mustStay())
  }

  /** Whether the screen can be left without a loss. Otherwise the person is asked, and `leave` is called when they agree. */
  mayLeaveScreen(leave: () => void): boolean {
    const guard = this.#guards.peek().find(({ onLeaveScreen, mustStay }) => onLeaveScreen && mustStay())
    guard?.onLeaveScreen?.(leave)
    return guard === undefined
  }
}

export const leaveGuardsSlice = slice('leaveGuards', (workspace) => new LeaveGuards(workspace))
