/** The id of a user, or the address of somebody who holds a public link. */
export type Person = number | string

/** How much of a kind may be at once, in total and of one user. */
export type Most = Readonly<{ inAll: number; ofOne: number }>

/** Counts by user, and in total. */
export class Counts {
  readonly #ofOne = new Map<Person, number>()
  #inAll = 0

  add(person: Person, count: number) {
    this.#inAll += count
    const sum = this.of(person) + count
    if (sum === 0) this.#ofOne.delete(person)
    else this.#ofOne.set(person, sum)
  }

  of(person: Person): number {
    return this.#ofOne.get(person) ?? 0
  }

  /** How many have a count. */
  get people(): number {
    return this.#ofOne.size
  }

  /** The largest of one user. */
  get largest(): number {
    return Math.max(0, ...this.#ofOne.values())
  }

  hasRoomFor(person: Person, count: number, { inAll, ofOne }: Most): boolean {
    return this.#inAll + count <= inAll && this.of(person) + count <= ofOne
  }
}
