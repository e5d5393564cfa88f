import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'
import type { Params } from '../contract/endpoint.ts'

const decimal = /^(0|[1-9]\d{0,15})$/

/**
 * Reads and checks the `:name` parts of an address. Called after authentication.
 * @throws Failure with the description of the schema that a value does not match: 'notFound' for what is no number, because File Browser
 * has no such address, otherwise 'invalid'
 */
export function readParams(schema: Params | undefined, texts: Record<string, string>): Record<string, unknown> {
  const params = Object.entries(schema?.properties ?? {}).map(([name, part]) => [name, readParam(part, texts[name])])
  return Object.fromEntries(params)
}

function readParam(schema: TSchema, text = '') {
  const { type, description } = schema as { type?: string; description?: string }
  const value = type === 'integer' && decimal.test(text) ? Number(text) : text
  if (!Value.Check(schema, value)) throw new Failure(type === 'integer' ? 'notFound' : 'invalid', description)
  return value
}
