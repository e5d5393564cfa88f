import type { FastifyInstance } from 'fastify'
import { Value } from 'typebox/value'
import { Failure, inField } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { RuleTrial } from '../contract/rules.ts'
import type { UserRule } from '../contract/users.ts'
import { type Api, endpoint } from './endpoint.ts'
import { fieldIn } from './schemas.ts'
import { readFields } from './user-fields.ts'

/** Registers the call that tries rules. */
export function ruleCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'POST /api/rules/try', async ({ settings, users, body }) => {
    const { username, path, global, own } = readTrial(body)
    const user = own === undefined ? (await users.list()).find((candidate) => candidate.username === username) : undefined
    const rules = own ?? user?.rules
    if (rules === undefined) throw new Failure('notFound', 'there is no such user')
    return settings.decide(path, rules, global)
  })
}

/** @throws Failure('invalid') with the field that has another value */
function readTrial(body: unknown) {
  if (!Value.Check(RuleTrial, body)) {
    const sentence = 'a trial has a path, and username or own, and may have global'
    throw new Failure('invalid', sentence, { about: fieldIn(RuleTrial, body) })
  }
  const { path, username, global, own } = body
  return { username, path: inField('path', () => parsePath(path)), global: checked(global), own: checked(own) }
}

const checked = (rules: readonly UserRule[] | undefined) => rules && readFields({ rules }, ['rules']).rules
