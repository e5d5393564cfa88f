// Reads the activity log backwards, without keeping more of it in memory than one piece and one line.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { ActivityEntry } from './activity-line.ts'
import { logFilesOf } from './log-file.ts'

/** Bytes that are read at a time. */
const piece = 65_536

/** The entries of all files, the newest first. Lines that are no entries are left out. */
export async function* readActivity(path: string, signal: AbortSignal): AsyncGenerator<ActivityEntry> {
  for (const name of logFilesOf(path)) {
    const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
    if (!file) continue
    try {
      for await (const line of linesBackwards(file, signal)) {
        const entry = entryIn(line)
        if (entry) yield entry
      }
    } finally {
      await file.close()
    }
  }
}

async function* linesBackwards(file: FileHandle, signal: AbortSignal): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = (await file.stat()).size; end > 0; ) {
    signal.throwIfAborted()
    const length = Math.min(piece, end)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    end -= length
    const bytes = Buffer.concat([buffer.subarray(0, bytesRead), rest])
    const first = end > 0 ? bytes.indexOf(0x0a) : -1
    // What stands before the first newline may begin in the piece before.
    if (end > 0 && first < 0) rest = bytes
    else {
      rest = bytes.subarray(0, Math.max(first, 0))
      yield* bytes
        .subarray(first + 1)
        .toString()
        .split('\n')
        .reverse()
    }
  }
}

function entryIn(line: string): ActivityEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'what' in value ? (value as ActivityEntry) : undefined
  } catch {
    return undefined
  }
}
