import type { PresentRecords } from '../state/import-commands.ts'
import type { PlanBudget } from './plan-budget.ts'
import type { PlanNotes } from './plan-notes.ts'
import type { UnusableRules } from './plan-rules.ts'
import type { ScopesFrom } from './plan-scopes.ts'
import type { RootFacts } from './root-facts.ts'

/** What the administrator has said on the command line. */
export type PlanAnswers = Readonly<{
  /** Users keep the right to run commands. */
  keepExecute: boolean
  /** The database was written by 2.63.1 or later. */
  hasWholeNames: boolean
  scopes: ScopesFrom | undefined
  unusable: UnusableRules | undefined
  /** An export of users comes without global rules. */
  withoutSettings?: boolean
}>

/** What all parts of a plan are made with. */
export type PlanParts = Readonly<{
  facts: RootFacts
  answers: PlanAnswers
  /** The root that File Browser had, such as the one in its container. */
  formerRoot: string | undefined
  /** Whether the disk of File Browser took small and capital letters for the same. */
  foldsCase: boolean
  /** What the state has that they are added to. */
  present: PresentRecords
  /** Of the users of the source that an earlier import has brought: their ids here, by those there. */
  brought: ReadonlyMap<number, number>
  /** One that nobody has, here or there. */
  nextId(): number
  notes: PlanNotes
  budget: PlanBudget
  /** Seconds since the epoch. */
  now: number
}>
