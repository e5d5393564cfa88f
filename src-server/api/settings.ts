import type { FastifyInstance } from 'fastify'
import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { RuleTrial } from '../contract/settings.ts'
import { versionCondition } from './conditions.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'

/** Registers the calls for the settings of the server. */
export function settingsCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/settings', async ({ settings, reply }) => {
    reply.header('ETag', `"${settings.version()}"`)
    return settings.read()
  })
  endpoint(app, api, 'PUT /api/settings', async ({ settings, me, source, body, request, reply }) => {
    const { match } = versionCondition(request.headers)
    await settings.change(body, { by: { id: me.user.id, name: me.user.username }, source, match })
    return done(reply.header('ETag', `"${settings.version()}"`))
  })
  endpoint(app, api, 'POST /api/rules/try', async ({ settings, users, body }) => {
    // Not checked by Fastify, which would do so before the caller is known.
    if (!Value.Check(RuleTrial, body)) throw new Failure('invalid', 'a trial has username and path, and may have rules')
    const user = users.list().find(({ username }) => username === body.username)
    if (user === undefined) throw new Failure('notFound')
    return settings.tryRules(user.rules, parsePath(body.path), body.rules)
  })
}
