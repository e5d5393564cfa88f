// The page of a request link for browsers without JavaScript: HTML, and the forms in it. Files of a form go through the same core as others.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, refusedField } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import type { FormOutcome, RequestForm, WriteRequestForm } from '../contract/request-form.ts'
import { asStranger } from '../requests/as-stranger.ts'
import type { OpenedRequest } from '../requests/opened-request.ts'
import { keepStreams } from './bodies.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerFailure } from './error-replies.ts'
import { type Answer, answerFor } from './failures.ts'
import { formParts, readForms, skip } from './forms.ts'
import { keepOtherSitesOut } from './sender-cookie.ts'

/** Bytes of a field that are read: a name has 100 characters. */
const longestField = 1000

/** Registers the page and its forms. */
export function requestFormCalls(app: FastifyInstance, api: Api, write: WriteRequestForm): void {
  keepOtherSitesOut(app)
  app.setErrorHandler(async (error, request, reply) => {
    const failure = asStranger(error instanceof BrokenForm ? error.cause : error)
    const form = error instanceof BrokenForm ? error.form : failureForm(answerFor(failure), request)
    return answerFailure(failure, request, reply, await write(form, languagesOf(request)))
  })
  app.register(async (scope) => {
    readPasswords(scope)
    // The password has been read as the header of other calls: it is right when this is called.
    endpoint(scope, api, 'POST /api/public/request/:hash/unlock', async ({ params, reply }) =>
      reply.redirect(api.authenticate.addressOf(`/api/public/request/${params.hash}/form`), 303),
    )
  })
  app.register(async (scope) => {
    keepStreams(scope)
    readForms(scope)
    const answer = async (reply: FastifyReply, form: RequestForm) => {
      const { html, policy } = await write(form, languagesOf(reply.request))
      return reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(html)
    }
    endpoint(scope, api, 'GET /api/public/request/:hash/form', async ({ opened, params: { hash }, reply }) =>
      answer(reply, { kind: 'shown', hash, page: await opened.show() }),
    )
    endpoint(scope, api, 'POST /api/public/request/:hash/form', async (call) => {
      const { opened, params, request, visitor, operation, reply } = call
      opened.assertOpen()
      if (request.headers['content-length'] === undefined) throw refusedField('Content-Length', 'is needed')
      await api.limits.enter('requestBodies', visitor, operation, { yielding: api.deadlines.received(request) })
      const { error: reason, ...outcome } = await takeFiles(api, request, opened)
      const shown = opened.show().catch((error: unknown) => Promise.reject(outcome.broken ? reason : error))
      const form = { kind: 'shown', hash: params.hash, page: await shown, outcome } as const
      if (outcome.broken) throw new BrokenForm(reason, form)
      return answer(reply, form)
    })
  })
}

/** What the page shows after a refusal of the whole. */
function failureForm({ status, headers }: Answer, { params, url }: FastifyRequest): RequestForm {
  const { hash = '' } = (params ?? {}) as { hash?: string }
  const wait = status === 429 ? Number(headers['Retry-After'] ?? 1) : undefined
  if (status === 401 || wait !== undefined) return { kind: 'locked', hash, isWrong: url.includes('/unlock'), wait }
  if (status === 404) return { kind: 'gone', hash }
  if (status === 410) return { kind: 'closed', hash }
  return { kind: 'failed', hash, isBusy: status === 503 }
}

const languagesOf = ({ headers }: FastifyRequest) => headers['accept-language'] ?? ''

/** The field of a form of a password becomes the header in which other calls have it. */
function readPasswords(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    const password = new URLSearchParams(String(text)).get('password') ?? ''
    request.raw.headers['x-share-password'] = encodeURIComponent(password)
    done(null, undefined)
  })
}

/** A form that was not taken to its end, with a page that shows what has become of the files before. Its cause is what is answered. */
class BrokenForm extends Error {
  readonly form: RequestForm

  constructor(cause: unknown, form: RequestForm) {
    super('', { cause })
    this.form = form
  }
}

/** `error`: what has broken it. */
type Outcome = FormOutcome & { error?: unknown }

/** @returns a broken one where there is something to say of files before, or the form itself is the cause */
async function takeFiles(api: Api, request: FastifyRequest, opened: OpenedRequest): Promise<Outcome> {
  const refused: FormOutcome['refused'][number][] = []
  const sent = { arrived: 0 }
  try {
    await takeParts(api, request, opened, { refused, sent })
  } catch (error) {
    // The link was closed meanwhile, or the form broke off: there is no other way to a receipt without JavaScript.
    const receipt = sent.arrived > 0 ? await opened.makeReceipt().catch(() => undefined) : undefined
    const isOfLink = error instanceof Failure && ['notFound', 'unauthorized'].includes(error.code)
    const broken = brokenBy(answerFor(asStranger(error)))
    const isAnyTold = receipt !== undefined || refused.length > 0 || broken === 'unreadable'
    if (!isAnyTold || isOfLink) throw error
    return { receipt, refused, broken, error }
  }
  const receipt = sent.arrived > 0 ? await opened.makeReceipt() : undefined
  return { receipt, refused }
}

function brokenBy({ status, code }: Answer): NonNullable<FormOutcome['broken']> {
  // `gone`: it was removed so that others have space. Where its link was closed the page says that.
  if (mayComeLater.includes(code) || code === 'gone') return 'busy'
  return status < 500 ? 'unreadable' : 'failed'
}

/** Codes of what may be taken in a moment. */
const mayComeLater: readonly string[] = ['busy', 'locked']

type Taken = Readonly<{ refused: FormOutcome['refused'][number][]; sent: { arrived: number } }>

async function takeParts(api: Api, request: FastifyRequest, opened: OpenedRequest, { refused, sent }: Taken): Promise<void> {
  let given: string | undefined
  let left = Number(request.headers['content-length'])
  for await (const { field, file, body } of formParts({ request, deadlines: api.deadlines })) {
    const chunks = body[Symbol.asyncIterator]()
    if (file === undefined && field === 'name') given = await textOf(unended(chunks))
    else if (file) {
      try {
        const { offset } = await opened.take({ path: parsePath(`/${file}`), atMost: left, given }, unended(chunks))
        left -= offset
        sent.arrived++
      } catch (error) {
        refused.push({ name: file, ...refusalOf(error) })
      }
    }
    await skip(unended(chunks))
  }
}

/** @throws what is about all files */
function refusalOf(error: unknown) {
  const failure = asStranger(error)
  const isOfFile = failure instanceof Failure && !['gone', 'notFound', 'unauthorized', 'internal'].includes(failure.code)
  if (!isOfFile) throw error
  const { refusal, code } = answerFor(failure)
  return { refusal, isBusy: mayComeLater.includes(code) }
}

/** A part is read to its end though nobody wants it: the form goes on behind it. */
function unended(chunks: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes <= longestField) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
