// Imported for its effect: puts temporary folders into memory, if the system has /dev/shm, so that tests that sync thousands of
// times do not wait for a disk. Tests that need a real file system, for example reused inode numbers, do not import it.
import { accessSync, constants } from 'node:fs'

const memory = '/dev/shm'

try {
  accessSync(memory, constants.W_OK)
  process.env.TMPDIR = memory
} catch {
  // Temporary folders stay in the default folder.
}
