/** A file or a folder that was dropped or chosen. */
export type Dropped = {
  /** From where it was dropped: `photos/2026/a.jpg`. */
  path: string
  /** A folder has none. */
  file?: File
  /** It is there and cannot be read. */
  unreadable?: boolean
}

/** How many files are taken in hand before the page has a turn. */
const filesAtOnce = 20

/** Whether a drag brings files from outside the page. */
export const bringsFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/**
 * What was dropped, folders with all that is in them. It comes in parts, so that the first files are on their way while
 * the rest of a large folder is still being read. To be called in the drop event itself: afterwards its items are gone.
 */
export function readDrop(transfer: DataTransfer): AsyncIterable<Dropped[]> {
  const files: Dropped[] = []
  const folders: FileSystemDirectoryEntry[] = []
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : undefined
    const file = entry?.isDirectory ? undefined : item.getAsFile()
    if (entry?.isDirectory) folders.push(entry as FileSystemDirectoryEntry)
    else if (file) files.push({ path: file.name, file })
  }
  return walkAll(files, folders)
}

/** Files that were chosen; with a folder each brings its path, and the folders on the way are made too. */
export function readChosen(files: readonly File[]): Dropped[] {
  const folders = new Set<string>()
  const chosen = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
  for (const { path } of chosen) for (const folder of foldersOf(path)) folders.add(folder)
  return [...[...folders].map((path) => ({ path })), ...chosen]
}

function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_name, index) => names.slice(0, index + 1).join('/'))
}

async function* walkAll(files: Dropped[], folders: FileSystemDirectoryEntry[]): AsyncGenerator<Dropped[]> {
  if (files.length > 0) yield files
  for (const folder of folders) yield* walk(folder)
}

async function* walk(folder: FileSystemDirectoryEntry): AsyncGenerator<Dropped[]> {
  const path = folder.fullPath.replace(/^\//, '')
  yield [{ path }]
  const reader = folder.createReader()
  const below: FileSystemDirectoryEntry[] = []
  for (;;) {
    const part = await nextPart(reader)
    if (!part) yield [{ path, unreadable: true }]
    // A reader gives a hundred at a time, and an empty part at its end.
    if (!part || part.length === 0) break
    below.push(...part.filter((entry): entry is FileSystemDirectoryEntry => entry.isDirectory))
    yield* filesOf(part.filter((entry): entry is FileSystemFileEntry => entry.isFile))
  }
  for (const next of below) yield* walk(next)
}

// Chromium asks its main process for every file and holds the page until it has answered, a quarter of a millisecond
// each: ten thousand at once were three seconds in which nothing moved. A few at a time, the page has its turns.
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
  const path = entry.fullPath.replace(/^\//, '')
  return new Promise((resolve) => {
    entry.file(
      (file) => resolve({ path, file }),
      () => resolve({ path, unreadable: true }),
    )
  })
}
