import type { FastifyInstance } from 'fastify'
import { tagged, versionCondition } from './conditions.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { readSettings } from './settings-fields.ts'
import { currentPasswordIn } from './user-fields.ts'

/** Registers the calls about the settings of the server. */
export function settingsCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/settings', async ({ settings, reply }) => {
    const { version, settings: present } = settings.read()
    tagged(reply, { version })
    const { unnamedProxies } = settings
    const signupObstacle = await settings.signupObstacle()
    return {
      ...present,
      ...(signupObstacle !== undefined && { signupObstacle }),
      ...(unnamedProxies.length > 0 && { unnamedProxies: [...unnamedProxies] }),
    }
  })
  endpoint(app, api, 'PUT /api/settings', async ({ settings, body, request, reply }) => {
    const { match: versions } = versionCondition(request.headers)
    const currentPassword = currentPasswordIn(body)
    const { version } = await settings.change(readSettings(body), { versions, currentPassword })
    tagged(reply, { version })
    return done(reply)
  })
}
