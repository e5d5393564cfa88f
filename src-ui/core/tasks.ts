import { computed, signal } from '@preact/signals-core'
import { slice, type Workspace } from './workspace.ts'

/** Something that was asked for and takes a while: what it is, and how much of it is done. */
export type Task = {
  label: string
  done: number
  total: number
  /** Skips what has not begun; undefined when there is nothing to skip. */
  stop: (() => void) | undefined
}

/** After which time, in milliseconds, a task is shown. */
export const taskDelay = 100

type Options = {
  label: string
  total?: number
  /** Stops the task from elsewhere too. */
  stopping?: AbortController
}

export class Tasks {
  readonly #workspace: Workspace
  /** Those that last long enough to be shown. */
  readonly #shown = signal<readonly Task[]>([])
  /** The last that was asked for. */
  readonly current = computed(() => this.#shown.value.at(-1))

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /**
   * Runs `work` and shows it once it lasts. `work` calls `step` after each of the `total`, and begins no more once the signal
   * is aborted: by the person, by `stopping`, or by the end of the workspace.
   */
  async track<T>(
    { label, total = 1, stopping = new AbortController() }: Options,
    work: (step: () => void, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let task: Task = { label, done: 0, total, stop: total > 1 ? () => stopping.abort() : undefined }
    const clearTimer = this.#workspace.timeout(() => {
      this.#shown.value = [...this.#shown.value, task]
    }, taskDelay)
    const step = () => {
      const next = { ...task, done: task.done + 1 }
      this.#replace(task, next)
      task = next
    }
    try {
      return await work(step, AbortSignal.any([stopping.signal, this.#workspace.signal]))
    } finally {
      clearTimer()
      this.#shown.value = this.#shown.value.filter((one) => one !== task)
    }
  }

  #replace(before: Task, now: Task): void {
    if (this.#shown.value.includes(before)) this.#shown.value = this.#shown.value.map((one) => (one === before ? now : one))
  }
}

export const tasksSlice = slice('tasks', (workspace) => new Tasks(workspace))
