// Where the lines of the log go: standard error, standard output, or a file of --log.
import { Log } from './state/log.ts'

/** Bytes of one file, of which ten are kept. */
const largest = 50 * 2 ** 20

/** Bytes that wait to be written, before lines are lost. */
const mostWaiting = 8 * 2 ** 20

/** @returns writes one line, with its newline; undefined for standard error */
export function logWriter(to: string | undefined): ((line: string) => void) | undefined {
  if (to === undefined) return undefined
  return to === 'stdout' ? (line) => process.stdout.write(line) : fileWriter(to)
}

/** No request waits for the file. Lines that cannot be written are lost, which is said once on standard error. */
function fileWriter(file: string): (line: string) => void {
  const log = new Log<string>(file, { isEntry: (value) => typeof value === 'string', lineOf: (line) => line, largest })
  let isLosing = false
  const lose = (reason: string) => {
    if (!isLosing) process.stderr.write(`holdall: --log ${file} cannot be written (${reason}): lines are lost.\n`)
    isLosing = true
  }
  return (line) => {
    if (log.waitingBytes >= mostWaiting) return lose('it does not answer')
    log.append(line).then(
      () => {
        isLosing = false
      },
      (error: unknown) => lose(error instanceof Error && 'code' in error ? String(error.code) : String(error)),
    )
  }
}
