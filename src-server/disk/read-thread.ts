// The code of a thread that reads small files, many for each message. It is bundled on its own: see `build.ts`.
import * as fs from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { SentError } from './sequence-thread.ts'

/** The address of an open file, and its length in bytes when it was opened. */
export type ReadRequest = readonly Readonly<{ address: string; length: number }>[]

/** The contents one after the other; for each file whether it still had its length, or the error of the system. */
export type ReadAnswer = Readonly<{ bytes: Uint8Array; results: readonly (boolean | SentError)[] }>

parentPort?.on('message', (files: ReadRequest) => {
  const answer = readAll(files)
  parentPort?.postMessage(answer, [answer.bytes.buffer as ArrayBuffer])
})

function readAll(files: ReadRequest): ReadAnswer {
  // One byte more, see `read`.
  const bytes = new Uint8Array(files.reduce((sum, { length }) => sum + length, 1))
  let at = 0
  const results = files.map(({ address, length }) => {
    const part = bytes.subarray(at, at + length + 1)
    at += length
    try {
      return read(address, part) === length
    } catch (error) {
      const { message, code, syscall } = error as NodeJS.ErrnoException
      return { message, ...(code && { code }), ...(syscall && { syscall }) }
    }
  })
  return { bytes, results }
}

/** @param part one byte longer than the file should be: that it stays empty says that the file has ended. @returns the bytes read */
function read(address: string, part: Uint8Array): number {
  const fd = fs.openSync(address, fs.constants.O_RDONLY)
  try {
    let filled = 0
    while (filled < part.length) {
      const count = fs.readSync(fd, part, filled, part.length - filled, filled)
      if (count === 0) break
      filled += count
    }
    return filled
  } finally {
    fs.closeSync(fd)
  }
}
