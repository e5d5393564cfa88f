type Folder = Readonly<{
  /** As it is on the disk, with a slash at its end; '' for the top. */
  path: string
  /** As it is in the archive, with a slash at its end. */
  inZip: string
  /** Names in it → their names in the archive. Those without `\`, `_` and `:` stay as they are, and no other can become the same. */
  names: Map<string, string>
  taken: Set<string>
  /** A taken name → the number to try next: thousands of names may become the same. */
  next: Map<string, number>
}>

/**
 * The paths in a zip archive, in which a backslash becomes `_`, and so does the colon of a name like that of a drive: two entries of a folder never get the same one. Only the folders
 * above the last entry are remembered, so entries must come as a walk meets them: everything in a folder before what follows it.
 */
export class ZipNames {
  readonly #folders: Folder[] = [folderOf('', '')]

  /** @param path with slashes between the names */
  of(path: string): string {
    if (!mayChange(path)) return path
    const folder = this.#enter(path)
    return folder.inZip + nameIn(folder, path.slice(folder.path.length))
  }

  /** The folder that a path lies in. */
  #enter(path: string): Folder {
    let folder = this.#last()
    while (!path.startsWith(folder.path)) {
      this.#folders.pop()
      folder = this.#last()
    }
    for (;;) {
      const slash = path.indexOf('/', folder.path.length)
      if (slash < 0) return folder
      const name = nameIn(folder, path.slice(folder.path.length, slash))
      folder = folderOf(path.slice(0, slash + 1), `${folder.inZip}${name}/`)
      this.#folders.push(folder)
    }
  }

  #last(): Folder {
    return this.#folders.at(-1) as Folder
  }
}

/** What programs for Windows take for a drive. */
const drive = /^([A-Za-z]):/

/** Whether a name in a path is changed, or could be the same as a changed one. */
const mayChange = (path: string) => path.includes('\\') || path.includes('_') || path.includes(':')

function folderOf(path: string, inZip: string): Folder {
  return { path, inZip, names: new Map(), taken: new Set(), next: new Map() }
}

function nameIn({ names, taken, next }: Folder, name: string): string {
  if (!mayChange(name)) return name
  const known = names.get(name)
  if (known !== undefined) return known
  const wanted = name.replaceAll('\\', '_').replace(drive, '$1_')
  const [, stem = wanted, ending = ''] = /^(.+?)((?:\.[^.]+)?)$/s.exec(wanted) ?? []
  let free = wanted
  let number = next.get(wanted) ?? 1
  while (taken.has(free)) free = `${stem}(${number++})${ending}`
  if (free !== wanted) next.set(wanted, number)
  names.set(name, free)
  taken.add(free)
  return free
}
