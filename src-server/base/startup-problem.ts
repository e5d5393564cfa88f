/**
 * Why the server does not start: one sentence for the person who started it, naming the option or the file and what would be right.
 * `main.ts` prints it and ends with code 2.
 */
export class StartupProblem extends Error {
  constructor(sentence: string, options: ErrorOptions = {}) {
    super(sentence, options)
    this.name = 'StartupProblem'
  }
}
