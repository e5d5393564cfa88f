import type { OptionName } from './option-table.ts'

/** One value as it was given, and its source, which error messages name. */
export type OptionSource = Readonly<{
  value: string
  /** `--port`, `HOLDALL_PORT`, `"port" in /etc/holdall.json`. */
  from: string
}>

/** The values of one source (flags, environment or file), in the order given. A switch is 'true' or 'false'. */
export type OptionValues = Partial<Record<OptionName, readonly OptionSource[]>>

/** Joins the sources. The first one that sets an option decides it: the values of a repeatable option are not merged. */
export class OptionSources {
  readonly #sources: readonly OptionValues[]

  /** @param sources by precedence, the highest first */
  constructor(sources: readonly OptionValues[]) {
    this.#sources = sources
  }

  /** All values of an option. */
  all(name: OptionName): readonly OptionSource[] {
    return this.#sources.find((source) => source[name] !== undefined)?.[name] ?? []
  }

  /** The last value, as is usual for a flag that is repeated. */
  one(name: OptionName): OptionSource | undefined {
    return this.all(name).at(-1)
  }

  /** Whether a switch is set to true. */
  isOn(name: OptionName): boolean {
    return this.one(name)?.value === 'true'
  }

  /** Whether one source sets both. When two sources do, the one with the higher precedence counts, and that is no mistake. */
  areTogether(one: OptionName, other: OptionName): boolean {
    return this.#sources.some((source) => source[one] !== undefined && source[other] !== undefined)
  }

  /** Whether the source of `one` has the same or a higher precedence than the source of `other`. */
  outranks(one: OptionName, other: OptionName): boolean {
    const rank = (name: OptionName) => {
      const index = this.#sources.findIndex((source) => source[name] !== undefined)
      return index < 0 ? this.#sources.length : index
    }
    return rank(one) <= rank(other)
  }
}
