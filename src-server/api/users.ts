import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { readNewUser, readOwnChange, readUserChange } from './read-user.ts'
import { addressOf } from './requests.ts'

/** Registers the calls for users. */
export function userCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/users', async ({ administration }) => administration.list())
  endpoint(app, api, 'GET /api/users/:id', async ({ administration, account, me, params }) => {
    if (administration) return administration.get(params.id)
    if (params.id !== me.user.id) throw new Failure('forbidden')
    return account.read()
  })
  endpoint(app, api, 'POST /api/users', async ({ administration, signIn, me, changing, body, request, reply }) => {
    const fields = readNewUser(body)
    await confirm(body, (password) => signIn.confirm(me, password, addressOf(request)))
    const { id } = await administration.create(fields, changing)
    return reply.code(201).header('Location', `/settings/users/${id}`).type('text/plain; charset=utf-8').send('201 Created\n')
  })
  endpoint(
    app,
    api,
    'PUT /api/users/:id',
    async ({ administration, account, signIn, me, changing, params, body, request, reply }) => {
      const isOwn = params.id === me.user.id
      if (!administration && !isOwn) throw new Failure('forbidden', 'you may change only your own record')
      const ask = () => confirm(body, (password) => signIn.confirm(me, password, addressOf(request)))
      if (administration) {
        const fields = readUserChange(body, params.id)
        await ask()
        await administration.change(params.id, fields, changing)
      } else {
        const settings = readOwnChange(body, params.id)
        await ask()
        await account.change(settings)
      }
      // The token holds the old record.
      return done(isOwn ? reply.header('X-Renew-Token', 'true') : reply)
    },
  )
  endpoint(app, api, 'DELETE /api/users/:id', async ({ administration, signIn, me, changing, params, body, request, reply }) => {
    await confirm(body, (password) => signIn.confirm(me, password, addressOf(request)))
    await administration.remove(params.id, changing)
    return done(reply)
  })
}

/** Registers the calls for the caller's sessions. */
export function ownSessionCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/sessions', async ({ account }) => account.sessions())
  endpoint(app, api, 'DELETE /api/sessions', async ({ account, reply }) => {
    await account.endOtherSessions()
    return done(reply)
  })
  endpoint(app, api, 'DELETE /api/sessions/:id', async ({ account, params, reply }) => {
    await account.endSession(params.id)
    return done(reply)
  })
}

/** The password of the caller is asked for by the page, and checked whenever a client sends it. */
async function confirm(body: object, verify: (password: unknown) => Promise<void>) {
  if ('current_password' in body) await verify(body.current_password)
}
