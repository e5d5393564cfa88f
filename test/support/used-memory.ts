import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that are in use after a collection of garbage: in the heap, and with it those outside of it. */
export function usedMemory(): { heap: number; all: number } {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return { heap: heapUsed, all: heapUsed + external }
}
