/** The server refused. The message is the sentence it gave; status 0 means that it was not reached. */
export class HttpFailure extends Error {
  readonly status: number
  /** Seconds after which it is worth trying again, when the server said so. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, retryAfter?: number) {
    super(message)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfter = retryAfter
  }
}
