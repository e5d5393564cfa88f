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
  readonly #most: number
  readonly #notes: PlanNote[] = []
  /** Of each kind, those that are counted alone. */
  readonly #more = new Map<PlanNote['kind'], number>()
  readonly #stops = new Set<string>()

  /** @param most notes that are kept with their text */
  constructor(most = mostNotes) {
    this.#most = most
  }

  changed(about: string, text: string): void {
    this.#add({ kind: 'changed', about, text })
  }

  left(about: string, text: string): void {
    this.#add({ kind: 'left', about, text })
  }

  look(about: string, text: string): void {
    this.#add({ kind: 'look', about, text })
  }

  #add(note: PlanNote): void {
    if (this.#notes.length < this.#most) this.#notes.push(note)
    else this.#more.set(note.kind, (this.#more.get(note.kind) ?? 0) + 1)
  }

  get notes(): readonly PlanNote[] {
    const more = [...this.#more].map(([kind, count]) => ({
      kind,
      about: 'and more',
      text: `${count} of them are not named here`,
    }))
    return [...this.#notes, ...more]
  }

  /** @param sentence without the full stop; the same one is kept once */
  stop(sentence: string): void {
    this.#stops.add(this.#stops.size < mostStops ? sentence : 'More than that must be answered or mended')
  }

  get stops(): string[] {
    return [...this.#stops]
  }
}

/** Far more than anybody reads. */
const mostNotes = 10_000

/** Sentences that are shown: one answer often is one for all of them. */
const mostStops = 100

/** A text of the source for a terminal. */
export function quoted(text: string): string {
  const shown = visible(JSON.stringify(text.length > mostShown ? `${text.slice(0, mostShown)}…` : text))
  // What is not visible takes several characters.
  return shown.length > 2 * mostShown ? `${shown.slice(0, 2 * mostShown)}…"` : shown
}

const mostShown = 200

/** A path as one word of a command line. */
export const forShell = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

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
