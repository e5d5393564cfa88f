// Checks whether values that were read have the form of a schema.
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Checks after which a schema is compiled: that takes as long as so many checks, and one is thirty times as fast after it. */
const enough = 200

/** A check for a schema of which many values are read, such as the lines of a log. */
export function checkFor<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  let check = (value: unknown): boolean => Value.Check(schema, value)
  let count = 0
  const compile = async () => {
    const { Compile } = await import('typebox/compile')
    const compiled = Compile(schema)
    check = (value) => compiled.Check(value)
  }
  return (value): value is Static<S> => {
    if (++count === enough) void compile()
    return check(value)
  }
}
