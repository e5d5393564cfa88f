// The question what is to become of things whose names are taken where they go.
import { effect } from '@preact/signals-core'
import { close, open, overlay } from '../core/overlay.ts'
import type { Item } from '../core/paths.ts'
import type { Existing } from '../uploads/upload-jobs.ts'
import type { Choice } from '../uploads/upload-queue.ts'

/** Something that goes to a folder which holds another of its name. */
export type NameConflict = { item: Item; existing: Existing }
/** Who is left out of the answers was skipped. */
export type Answers = ReadonlyMap<Item, Choice>

type Question = { into: string; taken: readonly NameConflict[]; answers: Map<Item, Choice>; settle(answers: Answers): void }

let asked: Question | undefined
let line: Promise<unknown> = Promise.resolve()

/** Asks about each, or about all that remain at once. One question at a time: another waits until this one is answered. */
export function askConflicts(into: string, taken: readonly NameConflict[]): Promise<Answers> {
  const answered = line.then(() => ask(into, taken))
  line = answered
  return answered
}

/** Answers for the first that is asked about or, with `forAll`, for all that remain. */
export function answerNameConflicts(choice: Choice, { forAll }: { forAll: boolean }): void {
  if (!asked) return
  const { taken, answers, into } = asked
  for (const { item } of forAll ? taken : taken.slice(0, 1)) answers.set(item, choice)
  const rest = taken.filter(({ item }) => !answers.has(item))
  asked.taken = rest
  if (rest.length > 0) open({ kind: 'replace-rename', into, taken: rest })
  else close('replace-rename')
}

function ask(into: string, taken: readonly NameConflict[]): Promise<Answers> {
  return new Promise((settle) => {
    asked = { into, taken, answers: new Map(), settle }
    open({ kind: 'replace-rename', into, taken })
  })
}

// However it was closed: what was not answered is skipped.
effect(() => {
  if (overlay.value.kind === 'replace-rename' || !asked) return
  const { settle, answers } = asked
  asked = undefined
  settle(answers)
})
