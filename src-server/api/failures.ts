// Maps failures to HTTP: the code of a Failure to a status and a sentence.
import { STATUS_CODES } from 'node:http'
import { Failure, type FailureCode } from '../base/failure.ts'
import { type Refusal, type RefusalCode, refusalCodes } from '../contract/refusals.ts'

const statusOf: Record<FailureCode, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  method: 405,
  conflict: 409,
  gone: 410,
  changed: 412,
  tooLarge: 413,
  contentType: 415,
  range: 416,
  locked: 423,
  tooMany: 429,
  mismatch: 460,
  internal: 500,
  unsupported: 501,
  busy: 503,
  full: 507,
}

/** An answer to a failed request. */
export type Answer = Readonly<{
  status: number
  code: FailureCode
  /** Shown to the client; '' when the status says everything. */
  cause: string
  headers: Readonly<Record<string, string>>
  /** When it has a code of its own, for which the page has its own words. */
  refusal?: Refusal
}>

/** The answer to anything thrown. It is 500 unless it is a Failure or an error of Fastify about the request. */
export function answerFor(error: unknown): Answer {
  if (error instanceof Failure) return ofFailure(error)
  const status = requestErrorStatus(error)
  if (status === undefined) return { status: 500, code: 'internal', cause: '', headers: {} }
  return { status, code: codeFor(status), cause: causeOf(error), headers: {} }
}

/** The text of an answer: `409 Conflict (the name is taken)`, with a newline. */
export function sentenceOf({ status, cause }: Pick<Answer, 'status' | 'cause'>): string {
  return `${status} ${phraseOf(status)}${cause && ` (${cause})`}\n`
}

/** That of tus is in no list of the system. */
const phraseOf = (status: number) => (status === 460 ? 'Checksum Mismatch' : STATUS_CODES[status])

/** Problem details of RFC 9457. */
export function problemOf({ status, code, cause, refusal }: Answer) {
  const about = { type: 'about:blank', title: phraseOf(status), status, code }
  return { ...about, ...(cause && { detail: cause }), ...(refusal && { refusal }) }
}

function ofFailure(failure: Failure): Answer {
  const { code, message, retryAfter, allow, size, isWritten } = failure
  const headers: Record<string, string> = {}
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.ceil(retryAfter))
  if (allow !== undefined) headers.Allow = allow.join(', ')
  if (size !== undefined) headers['Content-Range'] = `bytes */${size}`
  const refusal = isWritten ? ({ code: 'hookRefused', params: { said: message } } as const) : refusalOf(failure)
  if (refusal !== undefined) headers['X-Refusal'] = headerOf(refusal)
  // The cause of an internal failure is only logged.
  return { status: statusOf[code], code, cause: code === 'internal' ? '' : message, headers, ...(refusal && { refusal }) }
}

/** The errors of Fastify have a status; those below 500 are about the request. */
function requestErrorStatus(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

function codeFor(status: number): FailureCode {
  const known = Object.entries(statusOf).find(([, other]) => other === status)
  return (known?.[0] ?? 'invalid') as FailureCode
}

function causeOf(error: unknown) {
  const isOurContract = error instanceof Error && 'validation' in error
  return isOurContract ? error.message : ''
}

/** What the page needs to say a refusal in its own words. */
function refusalOf({ template, about }: Failure): Refusal | undefined {
  const { field, ...params } = about
  const code =
    (refusalCodes as Readonly<Record<string, RefusalCode>>)[template] ?? (field === undefined ? undefined : 'wrongValue')
  return code && { ...(field !== undefined && { field: String(field) }), code, params }
}

/** Characters of a parameter in the header: proxies bound the headers of an answer, some to 4 KiB. */
const longestParameter = 100

/** The refusal as a query. What a person typed, such as a rule, is shortened. */
function headerOf({ code, field, params }: Refusal): string {
  const shortened = Object.entries({ code, ...(field !== undefined && { field }), ...params }).map(([name, value]) => [
    name,
    shorten(String(value)),
  ])
  return String(new URLSearchParams(Object.fromEntries(shortened)))
}

function shorten(value: string): string {
  if (value.length <= longestParameter) return value
  return `${value.slice(0, longestParameter - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
