import { computed, signal } from '@preact/signals-core'
import { slice, type Workspace } from './workspace.ts'

/** A running operation that takes long. */
export type Task = {
  label: string
  done: number
  total: number
  /** Stops before the next step; undefined when there is only one. */
  stop: (() => void) | undefined
}

/** Milliseconds after which a task is shown. */
export const taskDelay = 100

type Options = {
  label: string
  total?: number
  /** Also stops the task. */
  stopping?: AbortController
}

export class Tasks {
  readonly #workspace: Workspace
  /** The tasks that have run long enough to be shown. */
  readonly #shown = signal<readonly Task[]>([])
  /** The task that was started last. */
  readonly current = computed(() => this.#shown.value.at(-1))

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /**
   * Runs `work` and shows it when it takes long. `work` calls `step` after each of the `total` steps and begins no further one
   * after the signal is aborted: by the user, by `stopping`, or by the end of the workspace.
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
