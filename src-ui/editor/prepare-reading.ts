import worker from 'holdall:part/editor/reading-worker.ts'
import type { Table } from './parse-table.ts'
import type { Reading } from './readings.ts'

export type ReadingTask = { kind: Reading; text: string; name: string }
/** `html` is what the text says, and not safe yet. */
export type Prepared = { kind: 'markdown'; html: string } | { kind: 'table'; table: Table }

/** Milliseconds after which a text is given up. */
const timeLimit = 10_000

/** Prepares a text in a worker. @throws Error when it cannot be prepared, or takes longer than ten seconds */
export function prepareReading(task: ReadingTask, signal: AbortSignal): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const running = new Worker(new URL(worker, import.meta.url), { type: 'module' })
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      running.terminate()
    }
    const giveUp = () => {
      end()
      reject(new Error('the text was not prepared in time'))
    }
    const timer = setTimeout(giveUp, timeLimit)
    signal.addEventListener('abort', giveUp)
    running.onmessage = ({ data }: MessageEvent<Prepared>) => {
      end()
      resolve(data)
    }
    running.onerror = () => {
      end()
      reject(new Error('the text could not be prepared'))
    }
    running.postMessage(task)
  })
}
