import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'

type FailedEntry = Readonly<{ path: Path; error: unknown }>

/** Entries that are named; the others are counted. */
const mostNamed = 1000

/** Entries of a folder failed, and stayed where they were; the others are done. Its code and its sentence are those of the first. */
export class EntriesFailed extends Failure {
  readonly entries: readonly FailedEntry[]
  /** How many are not named. */
  readonly more: number

  constructor(first: unknown, entries: readonly FailedEntry[], more: number) {
    if (first instanceof Failure) super(first.code, first.template, { about: first.about, cause: first })
    else super('internal', '', { cause: first })
    this.entries = entries
    this.more = more
  }
}

/** Collects what failed of a folder. */
export class FailedEntries {
  readonly #entries: FailedEntry[] = []
  #more = 0

  /** @param error of an entry itself, or of what is in it */
  add(path: Path, error: unknown): void {
    const isInside = error instanceof EntriesFailed
    const named = isInside ? error.entries : [{ path, error }]
    const fitting = named.slice(0, mostNamed - this.#entries.length)
    this.#entries.push(...fitting)
    this.#more += named.length - fitting.length + (isInside ? error.more : 0)
  }

  /** Adds those of another. @param path of the folder that they are in */
  addAll(path: Path, others: FailedEntries): void {
    const error = others.#asError()
    if (error) this.add(path, error)
  }

  /** @throws EntriesFailed when there are any */
  throwIfAny(): void {
    const error = this.#asError()
    if (error) throw error
  }

  #asError(): EntriesFailed | undefined {
    const [first] = this.#entries
    return first && new EntriesFailed(first.error, this.#entries, this.#more)
  }
}
