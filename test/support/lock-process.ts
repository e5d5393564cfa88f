// A process of its own that takes the lock of a state file, says what became of it in one line, and keeps it until it is ended.
// Arguments: the state file.
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
