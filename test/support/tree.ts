// Files as a test writes them down: planted in a real folder, and read back to compare.
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Paths without a leading slash. A name that ends in '/' is a folder (its value is ''); a link has its target's text. */
export type Tree = Readonly<Record<string, string | Uint8Array | { link: string }>>

/** Makes the files, folders and links of a tree below an existing folder. */
export async function plant(folder: string, tree: Tree): Promise<void> {
  for (const [path, what] of Object.entries(tree)) {
    const place = join(folder, path)
    if (path.endsWith('/')) {
      await mkdir(place, { recursive: true })
      continue
    }
    await mkdir(dirname(place), { recursive: true })
    if (typeof what === 'string' || what instanceof Uint8Array) await writeFile(place, what)
    else await symlink(what.link, place)
  }
}

/** What stands below a folder, hidden names included: files with their text, empty folders, links. FIFOs and sockets are left out. */
export async function harvest(folder: string, below = ''): Promise<Record<string, string | { link: string }>> {
  const tree: Record<string, string | { link: string }> = {}
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  if (entries.length === 0 && below !== '') tree[below] = ''
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${below}${entry.name}`
    if (entry.isDirectory()) Object.assign(tree, await harvest(folder, `${path}/`))
    else if (entry.isSymbolicLink()) tree[path] = { link: await readlink(join(folder, path)) }
    else if (entry.isFile()) tree[path] = await readFile(join(folder, path), 'utf8')
  }
  return tree
}

/** A new folder that goes when the test ends. */
export async function temporaryFolder(test: { after(work: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-test-'))
  test.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
