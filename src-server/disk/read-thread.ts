// The code of a thread that reads small files, many for each message. It is bundled on its own: see `build.ts`.
import * as fs from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { SentError } from './sequence-thread.ts'

/** The address of each open file, and its length in bytes when it was opened; memory that is long enough for all, and a byte more. */
export type ReadRequest = Readonly<{ files: readonly Readonly<{ address: string; length: number }>[]; bytes: Uint8Array }>

/** The contents one after the other; for each file whether it still had its length, or the error of the system. The time of the calls. */
export type ReadAnswer = Readonly<{ bytes: Uint8Array; results: readonly (boolean | SentError)[]; milliseconds: number }>

parentPort?.on('message', (request: ReadRequest) => {
  const answer = readAll(request)
  parentPort?.postMessage(answer, [answer.bytes.buffer as ArrayBuffer])
})

function readAll({ files, bytes }: ReadRequest): ReadAnswer {
  const begun = performance.now()
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
  return { bytes, results, milliseconds: performance.now() - begun }
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
