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
  // Of uploads that may go on later.
  | 'gone'
  | 'locked'
  | 'mismatch'
  | 'contentType'

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
  /** What takes the place of each `{{name}}` in the message. `field` is what the refusal is about, in the call or its record. */
  about?: About
}

/**
 * The refusal of one field of a record or a call.
 * @param words what would be right, after the name of the field; `{{name}}` stands for a parameter
 */
export function refusedField(field: string, words: string, params: About = {}, options: ErrorOptions = {}): Failure {
  return new Failure('invalid', `{{field}} ${words}`, { ...options, about: { field, ...params } })
}

/** The parameters of a message. */
export type About = Readonly<Record<string, string | number>>

/**
 * Thrown where something goes wrong, turned into an answer in `api/error-replies.ts`.
 * The message is shown to the caller: it holds no path of the host and nothing that the caller may not see. Its template and what it
 * is about stay, so that the page can say it in its own words.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly retryAfter: number | undefined
  readonly allow: readonly string[] | undefined
  readonly size: number | undefined
  readonly isLogged: boolean
  readonly isWritten: boolean
  readonly template: string
  readonly about: About

  /** @param template the message, with `{{name}}` for each parameter */
  constructor(code: FailureCode, template = '', options: FailureOptions = {}) {
    const { about = {} } = options
    super(
      template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => (Object.hasOwn(about, name) ? String(about[name]) : whole)),
      options,
    )
    this.template = template
    this.about = about
    this.name = 'Failure'
    this.code = code
    this.retryAfter = options.retryAfter
    this.allow = options.allow
    this.size = options.size
    this.isLogged = options.isLogged ?? false
    this.isWritten = options.isWritten ?? false
  }

  /** The same failure, of a field of the call or its record. */
  of(field: string): Failure {
    const { code, template, about, cause } = this
    return new Failure(code, template, { about: { ...about, field }, cause })
  }

  /** The same failure as another kind of it. */
  as(code: FailureCode, retryAfter = this.retryAfter): Failure {
    const { template, about, isLogged, isWritten } = this
    const again = retryAfter === undefined ? {} : { retryAfter }
    return new Failure(code, template, { about, isLogged, isWritten, ...again, cause: this })
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

/** Reads a field of a call. @throws what `read` throws, with the name of the field */
export function inField<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Failure ? error.of(field) : error
  }
}
