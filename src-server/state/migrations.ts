import { currentSchema } from './state-data.ts'

/** Converts a state of one schema to the next. It may change its argument. */
export type Migration = (state: Record<string, unknown>) => Record<string, unknown>

/** The migrations that a version of the program knows. */
export type Migrations = Readonly<{
  /** The newest schema. */
  current: number
  /** At index n - 1 the migration from schema n to n + 1. */
  steps: readonly Migration[]
}>

/** None so far: schema 1 is the first. */
export const migrations: Migrations = { current: currentSchema, steps: [] }

/**
 * Converts a parsed state file to the current schema.
 * @returns the same object when it has that schema
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
