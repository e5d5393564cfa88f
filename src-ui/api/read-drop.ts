/** A file or a folder that was dropped or chosen. */
export type Dropped = {
  /** Relative to what was dropped: `photos/2026/a.jpg`. */
  path: string
  /** Absent for a folder. */
  file?: File
  /** It exists but cannot be read. */
  unreadable?: boolean
}

/** Files that are opened before the page can handle events. */
const filesAtOnce = 20

/** Whether a drag contains files from outside the page. */
export const bringsFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/**
 * Reads what was dropped, folders with everything in them. Yields parts, so that uploads can begin while the rest of a large
 * folder is read. Call it in the drop event: afterwards its items are empty.
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

/** Converts chosen files. Those of a folder have relative paths, whose folders are added. */
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

// First everything at the top, which tells whether a name below can be taken.
async function* walkAll(files: Dropped[], folders: FileSystemDirectoryEntry[]): AsyncGenerator<Dropped[]> {
  yield [...folders.map((folder) => ({ path: pathOf(folder) })), ...files]
  for (const folder of folders) yield* walk(folder)
}

const pathOf = ({ fullPath }: FileSystemEntry): string => fullPath.replace(/^\//, '')

async function* walk(folder: FileSystemDirectoryEntry): AsyncGenerator<Dropped[]> {
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
