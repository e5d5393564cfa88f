// Validation with typebox, which the schemas of the contract are made with, so that no second validator is loaded.
import type { FastifySchemaCompiler, FastifySerializerCompiler, FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type About, Failure } from '../base/failure.ts'

/**
 * Fastify's `schemaController` option. Values of a query are converted from text as the schema says. A body is never coerced:
 * a list with one name is not a name.
 */
export const contractSchemas = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => compileSerializer },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = '' }) => {
  return (sent: unknown) => {
    const value = httpPart === 'querystring' ? Value.Convert(schema, sent) : sent
    // Not compiled: bodies are small, and compiling would lengthen the start.
    if (Value.Check(schema, value)) return { value }
    const [error] = Value.Errors(schema, value)
    const sentence = `${httpPart}${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}`
    return { error: new Failure('invalid', sentence, { about: fieldIn(schema, value) }) }
  }
}

/** The first field that has another value than its schema says, or that is missing. */
export function fieldIn(schema: TSchema, value: unknown): About {
  const [error] = Value.Errors(schema, value)
  if (error === undefined) return {}
  const missing = error.keyword === 'required' ? error.params.requiredProperties[0] : undefined
  const names = [...error.instancePath.split('/').slice(1), ...(missing === undefined ? [] : [missing])]
  return names.length === 0 ? {} : { field: names.join('.') }
}

/** Drops the fields that the schema of a reply does not list. */
const compileSerializer: FastifySerializerCompiler<TSchema> =
  ({ schema }) =>
  (reply) =>
    JSON.stringify(Value.Clean(schema, Value.Clone(reply)))
