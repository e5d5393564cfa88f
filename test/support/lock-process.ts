// A separate process that takes the lock of a state file, prints the outcome in one line, and keeps the lock until it ends.
// Argument: the state file.
import { StartupError } from '../../src-server/base/startup-error.ts'
import { takeLock } from '../../src-server/state/lock.ts'

const [file = ''] = process.argv.slice(2)

try {
  const lock = takeLock(file)
  console.log('open')
  process.stdin.on('end', () => lock.release()).resume()
} catch (error) {
  console.log(error instanceof StartupError ? `refused: ${error.message}` : String(error))
}
