/**
 * What a plan says about one thing. `changed`: it comes with another meaning; `left`: it does not come; `look`: something that the
 * administrator should look at.
 */
export type PlanNote = Readonly<{
  kind: 'changed' | 'left' | 'look'
  /** What it is about: `user "bob"`, `the settings`. */
  about: string
  text: string
}>

/** Collects the notes of a plan, and what must be answered or mended before anything comes. */
export class PlanNotes {
  readonly notes: PlanNote[] = []
  readonly #stops = new Set<string>()

  changed(about: string, text: string): void {
    this.notes.push({ kind: 'changed', about, text })
  }

  left(about: string, text: string): void {
    this.notes.push({ kind: 'left', about, text })
  }

  look(about: string, text: string): void {
    this.notes.push({ kind: 'look', about, text })
  }

  /** @param sentence without the full stop; the same one is kept once */
  stop(sentence: string): void {
    this.#stops.add(this.#stops.size < mostStops ? sentence : 'More than that must be answered or mended')
  }

  get stops(): string[] {
    return [...this.#stops]
  }
}

/** Sentences that are shown: one answer often is one for all of them. */
const mostStops = 100

/** A text of the source for a terminal. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text.length > mostShown ? `${text.slice(0, mostShown)}…` : text))
}

const mostShown = 200

/** A text in which nothing acts on a terminal, or hides. */
export function visible(text: string): string {
  const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
  return text.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, escaped)
}

/** `a, b and c`; past five how many more there are. */
export function listed(names: readonly string[]): string {
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
