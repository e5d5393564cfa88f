import { currentSchema } from './state-data.ts'

/** Turns the file of one schema into that of the next; it may take the object it was given apart. */
export type Migration = (state: Record<string, unknown>) => Record<string, unknown>

export type Migrations = Readonly<{
  /** The schema that they lead to. */
  current: number
  /** The one from schema n to n + 1 stands at n - 1. */
  steps: readonly Migration[]
}>

/** Schema 1 was the first: nothing leads to it. */
export const migrations: Migrations = { current: currentSchema, steps: [] }

/**
 * Brings a parsed state file, of the current schema or an older one, to the current.
 * @returns the very object when there was nothing to do
 */
export function migrate(state: Record<string, unknown>, { current, steps }: Migrations): Record<string, unknown> {
  let migrated = state
  for (let schema = Number(state.schema); schema < current; schema += 1) {
    const step = steps[schema - 1]
    if (step === undefined) throw new Error(`There is no migration from schema ${schema}`)
    migrated = { ...step(structuredClone(migrated)), schema: schema + 1 }
  }
  return migrated
}
