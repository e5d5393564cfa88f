// Imported for its effect: temporary folders lie in memory, where there is such a place. Tests that sync thousands of times
// then wait for no disk. What needs the ways of a real one, such as numbers that are given twice, does without.
import { accessSync, constants } from 'node:fs'

const memory = '/dev/shm'

try {
  accessSync(memory, constants.W_OK)
  process.env.TMPDIR = memory
} catch {
  // Then they lie where they always do.
}
