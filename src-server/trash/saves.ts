// The saves of an editor: those of one person that follow each other keep one version, that from before the first.

/** Milliseconds from the first save of a run, after which the next one keeps a version again. */
const longestRun = 600_000

/** A save that has begun. */
export type BegunSave = Readonly<{
  /** The version that the last save has made: it is not kept. */
  unlessVersion: string | undefined
  /** To be called when what was replaced is kept: another run begins. */
  kept(): void
  /** To be called when it has succeeded. @param version of the file now */
  end(version: string): void
}>

/** In memory: after a restart the next save keeps a version. */
export class Saves {
  readonly #now: () => number
  /** By person: the run that is not over. */
  readonly #runs = new Map<number, { version: string; since: number }>()

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /** @param isSave anything else ends the run, as `stop` does */
  begin(person: number, isSave: boolean): BegunSave {
    const now = this.#now()
    const run = isSave ? this.#runs.get(person) : undefined
    // One that began later than now: the clock was set back, and nothing tells how long ago that was.
    const isLong = run !== undefined && now >= run.since && now - run.since < longestRun
    let since = isLong ? run.since : now
    return {
      unlessVersion: isLong ? run.version : undefined,
      kept: () => {
        since = now
      },
      end: (version) => {
        // Where versions are not known nothing says that it is the same file.
        if (isSave && version !== '') this.#runs.set(person, { version, since })
        else this.stop(person)
      },
    }
  }

  /** Another act of the person. */
  stop(person: number): void {
    this.#runs.delete(person)
  }
}
