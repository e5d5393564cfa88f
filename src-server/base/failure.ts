/** What went wrong, in the product's words; `api/answers.ts` alone knows the status and the sentence for each. */
export type FailureCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'method'
  | 'conflict'
  | 'changed'
  | 'range'
  | 'tooLarge'
  | 'tooMany'
  | 'full'
  | 'busy'
  | 'internal'

export type FailureOptions = ErrorOptions & {
  /** Seconds after which it is worth trying again; becomes `Retry-After`. */
  retryAfter?: number
  /** The methods that a path knows; becomes `Allow`. */
  allow?: readonly string[]
  /** Bytes that there are, where a range of them was asked for; becomes `Content-Range`. */
  size?: number
  /** A line of the log says already what happened. */
  isLogged?: boolean
}

/**
 * Thrown once where something goes wrong, answered once in `api/answers.ts`.
 * The message is a cause worth telling the caller: no path of the host, nothing about what the caller may not see.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly retryAfter: number | undefined
  readonly allow: readonly string[] | undefined
  readonly size: number | undefined
  readonly isLogged: boolean

  constructor(code: FailureCode, message = '', options: FailureOptions = {}) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.retryAfter = options.retryAfter
    this.allow = options.allow
    this.size = options.size
    this.isLogged = options.isLogged ?? false
  }
}
