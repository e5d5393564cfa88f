import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { bundledFiles } from './bundled-files.ts'
import { sourceFolder } from './source-folder.ts'

/** MB; a thread only needs memory for one message. */
const limits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 }

/**
 * Starts a thread of this process, which does not keep the process running.
 * @param file below src-server, such as `disk/sequence-thread.ts`; its name ends in `-thread.ts`, by which `build.ts` finds it
 */
export function startThread(file: string): Worker {
  // V8 prefers this option, which the executable sets for the main thread, to the limit of a thread: each would take 12 MB.
  setFlagsFromString('--max-semi-space-size=0')
  // Each file is closed by the sequence of calls that uses it last, on another thread than it was opened on: a thread does not keep
  // account of them, which would close at its end what is no longer its own, and warn of what it has not opened.
  const options = { resourceLimits: limits, execArgv: [], env: {}, trackUnmanagedFds: false }
  // A thread cannot read the files inside the executable, so it gets its code as text.
  const code = bundledFiles()?.bytes(`threads/${file}`).toString()
  const thread = code === undefined ? new Worker(join(sourceFolder, file), options) : new Worker(code, { ...options, eval: true })
  thread.unref()
  return thread
}
