import { signal } from '@preact/signals-core'

/** @param P how far it is */
export type Demand<T, P> =
  | { kind: 'none' }
  /** Without progress until the server has begun. */
  | { kind: 'running'; progress?: P }
  /** The person has stopped it after it had begun. */
  | { kind: 'stopped'; progress: P }
  | { kind: 'done'; value: T }
  | { kind: 'failed'; failure: unknown }

type Ask<T, P> = (signal: AbortSignal, onProgress: (progress: P) => void) => Promise<T>

/** What the server finds out when it is asked for. `on-demand-row.tsx` shows it. */
export class OnDemand<T, P = never> {
  readonly state = signal<Demand<T, P>>({ kind: 'none' })
  readonly #ask: Ask<T, P>
  #running: AbortController | undefined

  constructor(ask: Ask<T, P>) {
    this.#ask = ask
  }

  /** Does nothing while it runs and when it is known. */
  async run(): Promise<void> {
    if (this.#running || this.state.peek().kind === 'done') return
    const controller = new AbortController()
    this.#running = controller
    const set = (state: Demand<T, P>) => {
      if (this.#running === controller) this.state.value = state
    }
    set({ kind: 'running' })
    try {
      const value = await this.#ask(controller.signal, (progress) => set({ kind: 'running', progress }))
      set({ kind: 'done', value })
    } catch (failure) {
      set({ kind: 'failed', failure })
    }
    if (this.#running === controller) this.#running = undefined
  }

  /** Stops the server's work too, and keeps how far it was. */
  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    const state = this.state.peek()
    if (state.kind !== 'running') return
    const { progress } = state
    this.state.value = progress === undefined ? { kind: 'none' } : { kind: 'stopped', progress }
  }
}
