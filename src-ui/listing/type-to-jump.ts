import type { KeyPress } from '../core/chord.ts'
import type { Entry, SortedEntries } from '../core/entries.ts'
import { type LetterKeys, letterKeysSlice } from '../core/keyboard.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { type Listing, listingSlice } from './listing.ts'
import { selectOnly } from './selection.ts'

/** Milliseconds within which typed letters belong together. */
export const typingPause = 1000

/** The letters that were typed since the last pause. */
export class TypedLetters {
  readonly #now: () => number
  #text = ''
  #last = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether another letter would belong to those before. */
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

/** Moves to the entry whose name begins with the typed letters. */
export class TypeToJump implements LetterKeys {
  readonly #listing: Listing
  readonly #letters = new TypedLetters(() => performance.now())

  constructor(workspace: Workspace) {
    this.#listing = workspace.use(listingSlice)
    workspace.provide(letterKeysSlice, this)
  }

  /** A space is a letter only after another one: by itself, and with Shift, it is a shortcut. */
  handles({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): boolean {
    if ([...key].length !== 1 || ctrlKey || metaKey || altKey) return false
    return key !== ' ' || (this.#letters.isOpen && !shiftKey)
  }

  /** @returns false in an empty folder */
  type(letter: string): boolean {
    const { value } = this.#listing.sortedEntries
    if (value.entries.length === 0) return false
    const target = jumpTarget(value, this.#listing.selection.value.focus, this.#letters.add(letter))
    if (!target) return true
    this.#listing.selection.value = selectOnly(target.key)
    this.#listing.reveal(target.key, 'byKeyboard')
    return true
  }
}

export const typeToJumpSlice = slice('typeToJump', (workspace) => new TypeToJump(workspace))

/**
 * The next entry whose name begins with the typed letters, searched cyclically from the focused entry. A single letter, also
 * repeated, is searched from the entry after it, and so cycles through its names.
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
