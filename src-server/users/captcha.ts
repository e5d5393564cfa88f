import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'

/** What the server needs to ask a host that is compatible with reCAPTCHA. */
export type CaptchaOptions = Readonly<{
  /** Scheme, host and port, without a trailing slash. */
  host: string
  secret: string
}>

/** Milliseconds that the host has for its whole answer. */
const longestWait = 5000

/** Bytes of an answer. */
const longestAnswer = 16 * 1024

/** Answers that are awaited at a time: strangers decide how often the host is asked. */
const mostWaiting = 16

/** Asks a host whether a person solved its captcha. */
export class Captcha {
  readonly #options: CaptchaOptions
  readonly #asking = new Limiter({
    inAll: mostWaiting,
    refusal: () => new Failure('busy', 'too many captchas are being checked', { retryAfter: 5 }),
  })

  constructor(options: CaptchaOptions) {
    this.#options = options
  }

  /**
   * @param token what the captcha gave the page
   * @throws Failure('forbidden') when it was not solved, Failure('busy') with the reason when the host cannot tell
   */
  async verify(token: string): Promise<void> {
    if (token === '') throw new Failure('forbidden')
    const slot = this.#asking.take()
    try {
      const answer = await ask(this.#options, token)
      if (answer.success !== true) throw new Failure('forbidden')
    } finally {
      slot.close()
    }
  }
}

async function ask({ host, secret }: CaptchaOptions, response: string): Promise<{ success?: unknown }> {
  try {
    const text = await post(`${host}/recaptcha/api/siteverify`, new URLSearchParams({ secret, response }).toString())
    const answer = JSON.parse(text) as unknown
    if (typeof answer !== 'object' || answer === null) throw new Error('its answer is no object')
    return answer
  } catch (cause) {
    const about = { cause: reasonOf(cause) }
    throw new Failure('busy', 'the captcha cannot be checked: {{cause}}', { retryAfter: 10, cause, about })
  }
}

/** @returns the body of an answer 200; redirects are not followed */
function post(address: string, body: string): Promise<string> {
  const isTls = address.startsWith('https:')
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) }
  const signal = AbortSignal.timeout(longestWait)
  return new Promise((resolve, reject) => {
    // Said although it is the default: a variable of the environment can turn it off.
    const how = { method: 'POST', headers, signal, agent: false, ...(isTls && { rejectUnauthorized: true }) }
    const sent = (isTls ? requestTls : requestPlain)(address, how, (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > longestAnswer) answer.destroy(new Error('its answer is too long'))
        else chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(chunks).toString())
        else reject(new Error(`its host answered ${answer.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Shown to whoever signs in: it names no address and no secret. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'its host failed'
  if (cause.name === 'AbortError' || cause.name === 'TimeoutError') return 'its host did not answer in time'
  if (cause instanceof SyntaxError) return 'its answer is no JSON'
  return 'code' in cause ? `its host cannot be reached (${String(cause.code)})` : cause.message
}
