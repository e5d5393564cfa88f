import { reveal, sortedEntries } from '../state/listing.ts'
import { selection, selectOnly } from '../state/selection.ts'
import { jumpTarget, TypedLetters } from '../state/type-ahead.ts'
import type { KeyPress } from './chord.ts'

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
