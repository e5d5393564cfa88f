// How the schemas of the contract are held: with typebox, whose types they are, so that no second validator is loaded.
import type { FastifySchemaCompiler, FastifySerializerCompiler, FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'

/**
 * Fastify's `schemaController` option. A query is text, and `?page=2` is read as a number where the contract says so; a body says
 * its types itself and is never coerced: a list of one name is no name.
 */
export const contractSchemas = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => compileSerializer },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = '' }) => {
  return (sent: unknown) => {
    const value = httpPart === 'querystring' ? Value.Convert(schema, sent) : sent
    // Not compiled: bodies are small, and compiling takes longer than the start of everything else here.
    if (Value.Check(schema, value)) return { value }
    const [error] = Value.Errors(schema, value)
    return { error: new Failure('invalid', `${httpPart}${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}`) }
  }
}

/** What a reply's schema does not list is dropped. */
const compileSerializer: FastifySerializerCompiler<TSchema> =
  ({ schema }) =>
  (reply) =>
    JSON.stringify(Value.Clean(schema, Value.Clone(reply)))
