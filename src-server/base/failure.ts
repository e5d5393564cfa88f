/** The kinds of failure. `api/error-replies.ts` and `api/failures.ts` map each to a status and a sentence. */
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
  | 'unsupported'
  | 'internal'

export type FailureOptions = ErrorOptions & {
  /** Seconds after which the caller may try again; becomes `Retry-After`. */
  retryAfter?: number
  /** The methods that the path supports; becomes `Allow`. */
  allow?: readonly string[]
  /** Size of the file in bytes, when a range cannot be served; becomes `Content-Range`. */
  size?: number
  /** The cause is already in the log. */
  isLogged?: boolean
  /** The message is what a command of an event wrote: the page shows it as it is. */
  isWritten?: boolean
}

/**
 * Thrown where something goes wrong, turned into an answer in `api/error-replies.ts`.
 * The message is shown to the caller: it holds no path of the host and nothing that the caller may not see.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly retryAfter: number | undefined
  readonly allow: readonly string[] | undefined
  readonly size: number | undefined
  readonly isLogged: boolean
  readonly isWritten: boolean

  constructor(code: FailureCode, message = '', options: FailureOptions = {}) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.retryAfter = options.retryAfter
    this.allow = options.allow
    this.size = options.size
    this.isLogged = options.isLogged ?? false
    this.isWritten = options.isWritten ?? false
  }

  /** The same failure with a further part of its sentence. */
  withMore(text: string): Failure {
    const { code, message, retryAfter, allow, size, isLogged, isWritten } = this
    const options = {
      ...(retryAfter !== undefined && { retryAfter }),
      ...(allow && { allow }),
      ...(size !== undefined && { size }),
    }
    return new Failure(code, message === '' ? text : `${message}; ${text}`, { ...options, isLogged, isWritten, cause: this })
  }
}
