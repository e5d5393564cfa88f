import type { OptionName } from './option-table.ts'

/** One value as somebody gave it, and where, so that a sentence about it can name its place. */
export type OptionSource = Readonly<{
  value: string
  /** `--port`, `HOLDALL_PORT`, `"port" in /etc/holdall.json`. */
  from: string
}>

/** What one place says: all that it gives for an option, in order; switches are 'true' or 'false'. */
export type OptionValues = Partial<Record<OptionName, readonly OptionSource[]>>

/** The first place that says anything about an option decides it, also for options that may be given more than once. */
export class OptionSources {
  readonly #sources: readonly OptionValues[]

  /** @param sources the strongest first */
  constructor(sources: readonly OptionValues[]) {
    this.#sources = sources
  }

  all(name: OptionName): readonly OptionSource[] {
    return this.#sources.find((source) => source[name] !== undefined)?.[name] ?? []
  }

  /** The last of several, as with any command. */
  one(name: OptionName): OptionSource | undefined {
    return this.all(name).at(-1)
  }

  isOn(name: OptionName): boolean {
    return this.one(name)?.value === 'true'
  }

  /** Whether one place says both: two places may differ, and then the stronger counts. */
  areTogether(one: OptionName, other: OptionName): boolean {
    return this.#sources.some((source) => source[one] !== undefined && source[other] !== undefined)
  }

  /** Whether the place that says `one` is as strong as, or stronger than, the one that says `other`. */
  outranks(one: OptionName, other: OptionName): boolean {
    const rank = (name: OptionName) => {
      const index = this.#sources.findIndex((source) => source[name] !== undefined)
      return index < 0 ? this.#sources.length : index
    }
    return rank(one) <= rank(other)
  }
}
