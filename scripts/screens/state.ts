import type { LookName } from './looks.ts'
import type { Stage } from './stage.ts'

/** A state of the interface, with a file `<name>-<look>.png` for each of its looks. */
export type State = {
  name: string
  looks: readonly LookName[]
  /** Nobody has signed in. */
  isSignedOut?: boolean
  show(stage: Stage): Promise<void>
}

/** Rows of a table: the name, the looks, and the steps to the state. */
export type Line = readonly [name: string, looks: readonly LookName[], show: State['show']]

export const statesOf = (group: string, lines: readonly Line[]): State[] =>
  lines.map(([name, looks, show]) => ({ name: `${group}-${name}`, looks, show }))
