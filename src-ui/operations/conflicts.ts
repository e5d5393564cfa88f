import type { Item } from '../core/entries.ts'
import { overlaysSlice, type Prompt } from '../core/overlay.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import type { Replaced } from './replaced-inside.ts'

/** The entry that already has the name. */
export type Existing = { size: number; modified: string; isDir: boolean }
/** The answer to a conflict. */
export type Choice = 'replace' | 'keepBoth' | 'skip'
/** An item that goes to a folder where another entry has its name. */
export type NameConflict = {
  item: Item
  existing: Existing
  /** The files that a merge replaces, when both are folders. */
  replaced?: Replaced | undefined
  /** It comes back from the trash: a folder is not merged with, it goes there in its place. */
  isRestored?: boolean
}
export type Answers = ReadonlyMap<Item, Choice>

type Question = {
  into: string
  conflicts: readonly NameConflict[]
  answers: Map<Item, Choice>
  prompt: Prompt
  settle(answers: Answers | undefined): void
}

/** Asks the user what to do about names that are taken. */
export class Conflicts {
  readonly #workspace: Workspace
  #questions: Question[] = []

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /**
   * Asks about each conflict, or about all that remain at once.
   * @returns undefined when the prompt was closed: the whole operation is cancelled
   */
  ask(into: string, conflicts: readonly NameConflict[]): Promise<Answers | undefined> {
    return new Promise((resolve) => {
      const settle = (answers: Answers | undefined) => {
        this.#questions = this.#questions.filter((one) => one !== question)
        resolve(answers)
      }
      const close = () => settle(undefined)
      const prompt = this.#workspace.use(overlaysSlice).ask({ kind: 'nameConflicts', into, conflicts }, close)
      const question: Question = { into, conflicts, answers: new Map(), prompt, settle }
      this.#questions.push(question)
    })
  }

  /** Answers the first conflict of the question that is shown or, with `forAll`, all that remain. */
  answer(choice: Choice, { forAll }: { forAll: boolean }): void {
    const [question] = this.#questions
    if (!question) return
    const { conflicts, answers, into, prompt } = question
    for (const { item } of forAll ? conflicts : conflicts.slice(0, 1)) answers.set(item, choice)
    question.conflicts = conflicts.filter(({ item }) => !answers.has(item))
    if (question.conflicts.length > 0) {
      prompt.update({ kind: 'nameConflicts', into, conflicts: question.conflicts })
    } else {
      prompt.withdraw()
      question.settle(answers)
    }
  }
}

export const conflictsSlice = slice('conflicts', (workspace) => new Conflicts(workspace))
