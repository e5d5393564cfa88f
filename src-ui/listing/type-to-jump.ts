import type { KeyPress } from '../core/chord.ts'
import type { Entry, SortedEntries } from '../core/entries.ts'
import { reveal, sortedEntries } from './listing.ts'
import { selection, selectOnly } from './selection.ts'

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

const letters = new TypedLetters(() => performance.now())

/** Whether a key is a letter that leads to a name. A space is one only between others: first it selects. */
export function isLetter({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean {
  if ([...key].length !== 1 || ctrlKey || metaKey || altKey) return false
  return key !== ' ' || letters.isOpen
}

/** Goes to the name that begins with what has been typed. @returns whether there is anything to go to */
export function jumpByLetter(letter: string): boolean {
  const { entries } = sortedEntries.value
  if (entries.length === 0) return false
  const target = jumpTarget(sortedEntries.value, selection.value.focus, letters.add(letter))
  if (!target) return true
  selection.value = selectOnly(target.key)
  reveal(target.key, 'byKeyboard')
  return true
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
