// The log. Tokens are removed, and control characters are escaped so that no text can forge a line.

import type { FastifyError, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { LogController } from 'fastify'

type LogOptions = Readonly<{ logLevel: string; logFormat: 'json' | 'pretty' }>

/** Fastify's `logger` option; lines go to standard error, or to `write`. */
export function loggerFor(
  { logLevel, logFormat }: LogOptions,
  write: (line: string) => void = (line) => process.stderr.write(line),
): NonNullable<FastifyServerOptions['logger']> {
  return {
    level: logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    stream: { write: (line: string) => write(`${escapeControls(logFormat === 'json' ? line.trimEnd() : pretty(line))}\n`) },
  }
}

/** Logs one line for each answered request. */
export class RequestLog extends LogController {
  override incomingRequest() {}

  override routeNotFound() {}

  override requestCompleted(error: FastifyError | null | undefined, request: FastifyRequest, reply: FastifyReply) {
    const { method, ip } = request
    const details = {
      method,
      url: withShortHashes(withoutToken(request.originalUrl)),
      status: reply.statusCode,
      ip,
      ms: Math.round(reply.elapsedTime),
    }
    if (error) reply.log.debug({ ...details, reason: error.message }, 'the answer was cut short')
    // Health checks come every few seconds.
    else if (request.url === '/health') reply.log.debug(details, 'answered')
    else reply.log.info(details, 'answered')
  }

  override streamError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
    reply.log.debug({ reason: error.message }, 'the answer was cut short')
  }
}

/** An address without the token that older clients put in the query. */
export function withoutToken(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return url
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => !isToken(pair))
  return url.slice(0, start) + (kept.length ? `?${kept.join('&')}` : '')
}

/** Where the hash of a link stands in an address, with its first six characters. */
const afterLink = /(\/(?:(?:api\/)?share|api\/public\/(?:share|dl|search|live|preview\/[^/]+))\/[\w-]{6})[\w-]{16}(?![\w-])/g

/** An address with the hashes of links cut to their first six characters: with a whole one, a reader of the log could open the link. */
export function withShortHashes(url: string): string {
  return url.replace(afterLink, '$1…')
}

/** The name is decoded as the query parser does, so that a percent-encoded `auth` is found too. */
function isToken(pair: string) {
  const name = (pair.split('=')[0] ?? '').replaceAll('+', ' ')
  try {
    return decodeURIComponent(name) === 'auth'
  } catch {
    return false
  }
}

function pretty(line: string): string {
  const {
    level,
    time,
    msg,
    reqId: _,
    err,
    ...details
  } = JSON.parse(line) as Record<string, unknown> & { err?: { stack?: string } }
  const rest = Object.entries(details).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const clock = String(time).slice(11, 19)
  const stack = err?.stack ? ` ${err.stack.replaceAll(/\s*\n\s*/g, ' | ')}` : ''
  return `${clock} ${String(level).padEnd(5)} ${String(msg)}${rest.join('')}${stack}`
}

/** Escapes what controls a terminal or begins a line: names in requests are written by anybody. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
