/** A file or a folder that was dropped or chosen. */
export type Dropped = {
  /** Relative to what was dropped: `photos/2026/a.jpg`. */
  path: string
  /** Absent for a folder. */
  file?: File
  /** It exists but cannot be read. */
  unreadable?: boolean
}

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
  if (folders.length === 0) return
  const part = await import('./walk-dropped.ts').catch(() => undefined)
  for (const folder of folders) {
    if (part) yield* part.walk(folder)
    else yield [{ path: pathOf(folder), unreadable: true }]
  }
}

export const pathOf = ({ fullPath }: FileSystemEntry): string => fullPath.replace(/^\//, '')
