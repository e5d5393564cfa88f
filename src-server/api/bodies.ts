// How a body is read depends on the call alone: existing clients send wrong Content-Types.
import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'

/** Removes the Content-Type of every request, so that Fastify takes the parser of the route's scope. */
export function ignoreContentTypes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type']
  })
}

/** Bodies in this scope stay streams. */
export function keepStreams(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/** Bodies in this scope are parsed as JSON when the call has a schema for one, and ignored otherwise. */
export function parseJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    const isWanted = request.routeOptions.schema?.body !== undefined
    if (!isWanted || String(text).trim() === '') return done(null, undefined)
    parse(request, String(text), (error, body) => {
      if (!error) return done(null, body)
      const refusal = refusalOf(String(text))
      // File Browser answers such a sign-in like one without a name, and its clients know no other refusal.
      if (refusal === notJson && request.routeOptions.url === '/api/login') return done(null, undefined)
      done(new Failure('invalid', refusal))
    })
  })
  // A missing body is an empty object: with noauth and proxy a sign-in needs none.
  scope.addHook('preValidation', async (request) => {
    request.body ??= {}
  })
}

const notJson = 'the body is not JSON'

/** The parser says the same of what is no JSON and of fields that would change a prototype. */
function refusalOf(text: string): string {
  try {
    JSON.parse(text)
    return 'the body must have no field "__proto__", and no "constructor" with a "prototype"'
  } catch {
    return notJson
  }
}
