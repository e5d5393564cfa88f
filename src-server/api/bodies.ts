// Who reads a request's body is said by the call, never by the Content-Type that a client happens to send.
import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'

/** Forgets what the client calls its body. Runs for every request; parsers are then chosen by the scope a route lies in. */
export function ignoreContentTypes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type']
  })
}

/** In this scope bodies stay streams. */
export function keepStreams(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/** In this scope a body is JSON where the call has a schema for one, and is ignored where it has none. */
export function parseJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    const isWanted = request.routeOptions.schema?.body !== undefined
    if (!isWanted || String(text).trim() === '') return done(null, undefined)
    parse(request, String(text), (error, body) =>
      error ? done(new Failure('invalid', 'the body is not JSON')) : done(null, body),
    )
  })
  // No body at all is an empty object: under noauth and proxy there is nothing to say at a sign-in.
  scope.addHook('preValidation', async (request) => {
    request.body ??= {}
  })
}
