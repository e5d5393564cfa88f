import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'
import type { Params } from '../contract/endpoint.ts'

const decimal = /^(0|[1-9]\d{0,15})$/

/**
 * The parts of an address that have a name, as their schemas say. Read after it is known who is calling.
 * @throws Failure('invalid') with the description of the schema that one of them does not fit
 */
export function readParams(schema: Params | undefined, texts: Record<string, string>): Record<string, unknown> {
  const params = Object.entries(schema?.properties ?? {}).map(([name, part]) => [name, readParam(part, texts[name])])
  return Object.fromEntries(params)
}

function readParam(schema: TSchema, text = '') {
  const { type, description } = schema as { type?: string; description?: string }
  const value = type === 'integer' && decimal.test(text) ? Number(text) : text
  if (!Value.Check(schema, value)) throw new Failure('invalid', description)
  return value
}
