/**
 * The server cannot start. The message is one sentence that names the option or the file and says what to do.
 * `main.ts` prints it and exits with code 2.
 */
export class StartupError extends Error {
  constructor(sentence: string, options: ErrorOptions = {}) {
    super(sentence, options)
    this.name = 'StartupError'
  }
}
