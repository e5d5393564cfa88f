// What a dropped folder holds. A lazy part: few drops have folders.
import { type Dropped, pathOf } from './read-drop.ts'

/** Files that are opened before the page can handle events. */
const filesAtOnce = 20

/** Reads a folder with everything below it, in parts. */
export async function* walk(folder: FileSystemDirectoryEntry): AsyncGenerator<Dropped[]> {
  const path = pathOf(folder)
  const reader = folder.createReader()
  const below: FileSystemDirectoryEntry[] = []
  for (;;) {
    const part = await nextPart(reader)
    if (!part) yield [{ path, unreadable: true }]
    // A reader returns up to a hundred entries at a time, and none at its end.
    if (!part || part.length === 0) break
    const folders = part.filter((entry): entry is FileSystemDirectoryEntry => entry.isDirectory)
    if (folders.length > 0) yield folders.map((one) => ({ path: pathOf(one) }))
    below.push(...folders)
    yield* filesOf(part.filter((entry): entry is FileSystemFileEntry => entry.isFile))
  }
  for (const next of below) yield* walk(next)
}

// Chromium blocks the page for a quarter of a millisecond per file while it asks its main process: ten thousand in one go
// block it for three seconds. After every few files the page can handle events.
async function* filesOf(entries: readonly FileSystemFileEntry[]): AsyncGenerator<Dropped[]> {
  for (let from = 0; from < entries.length; from += filesAtOnce) {
    yield await Promise.all(entries.slice(from, from + filesAtOnce).map(fileOf))
    await new Promise((resolve) => setTimeout(resolve))
  }
}

function nextPart(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[] | undefined> {
  return new Promise((resolve) => reader.readEntries(resolve, () => resolve(undefined)))
}

function fileOf(entry: FileSystemFileEntry): Promise<Dropped> {
  const path = pathOf(entry)
  return new Promise((resolve) => {
    entry.file(
      (file) => resolve({ path, file }),
      () => resolve({ path, unreadable: true }),
    )
  })
}
