// Typing letters in the listing jumps to the name that begins with them.
import type { Entry, SortedEntries } from './entries.ts'

/** How long letters belong together, in milliseconds. */
export const typingPause = 1000

/** The letters that were typed one soon after the other. */
export class TypedLetters {
  readonly #now: () => number
  #text = ''
  #last = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether a letter would still belong to those before. */
  get isOpen(): boolean {
    return this.#now() - this.#last < typingPause
  }

  /** @returns everything that was typed since the last pause */
  add(letter: string): string {
    this.#text = this.isOpen ? this.#text + letter : letter
    this.#last = this.#now()
    return this.#text
  }
}

/**
 * The entry whose name begins with what was typed: from the one at the keyboard on, and round the end. One letter
 * leads on from there, and the same letter again to the next.
 */
export function jumpTarget({ entries, indexOf }: SortedEntries, focus: string | undefined, typed: string): Entry | undefined {
  const letters = [...fold(typed)]
  const isCycling = letters.every((letter) => letter === letters[0])
  const wanted = isCycling ? (letters[0] ?? '') : letters.join('')
  const at = indexOf(focus)
  const first = at === undefined ? 0 : at + (isCycling ? 1 : 0)
  for (let step = 0; step < entries.length; step++) {
    const entry = entries[(first + step) % entries.length]
    if (entry && fold(entry.name).startsWith(wanted)) return entry
  }
  return undefined
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase()
