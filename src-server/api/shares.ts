import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Params } from '../contract/endpoint.ts'
import { ShareBody, ShareChanges } from '../contract/shares.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'

/** Whether a name is that of a field in another case, as some clients write it. */
const isLikeAField = (name: string) =>
  Object.keys(ShareBody.properties).some((known) => known.toLowerCase() === name.toLowerCase())

/** Registers the calls with which users make and delete public links. */
export function shareCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/share/*', ({ shares, path }) => shares.list(path))

  endpoint(app, api, 'GET /api/shares', ({ shares }) => shares.all())

  // Older clients send the expiry in the query, later ones in the body.
  endpoint(app, api, 'POST /api/share/*', async ({ shares, path, query, body }) => {
    // Other fields of older clients are ignored, but a link must not be made without the password that was sent with it.
    refuseFields(body, ShareBody, isLikeAField)
    return shares.create(path, { ...query, ...body })
  })

  endpoint(app, api, 'PATCH /api/share/:hash', async ({ shares, params, body }) => {
    refuseFields(body, ShareChanges, () => true)
    return shares.edit(params.hash, body)
  })

  endpoint(app, api, 'DELETE /api/share/:hash', async ({ shares, params, reply }) => {
    await shares.remove(params.hash)
    return done(reply)
  })
}

/** @param isRefused asked about each field that the schema does not have @throws Failure('invalid') naming the first that is refused */
export function refuseFields(body: object, { properties }: Pick<Params, 'properties'>, isRefused: (name: string) => boolean) {
  const refused = Object.keys(body).find((name) => !Object.hasOwn(properties, name) && isRefused(name))
  if (refused !== undefined) {
    const about = { field: refused, name: JSON.stringify(refused) }
    throw new Failure('invalid', 'a link has no field {{name}}', { about })
  }
}
