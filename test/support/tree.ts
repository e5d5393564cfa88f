// Trees of files in tests: written to a real folder, and read back to compare.
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { trashName } from '../../src-server/disk/reserved-names.ts'

/** Path without a leading slash → content. A path that ends in '/' is a folder (its value is ''); a link has its target. */
export type Tree = Readonly<Record<string, string | Uint8Array | { link: string }>>

/** Makes the files, folders and links of a tree below an existing folder. */
export async function plant(folder: string, tree: Tree): Promise<void> {
  for (const [path, what] of Object.entries(tree)) {
    const target = join(folder, path)
    if (path.endsWith('/')) {
      await mkdir(target, { recursive: true })
      continue
    }
    await mkdir(dirname(target), { recursive: true })
    if (typeof what === 'string' || what instanceof Uint8Array) await writeFile(target, what)
    else await symlink(what.link, target)
  }
}

type Harvest = Record<string, string | { link: string }>

/** Reads a tree without its trash: files with their text, empty folders and links, hidden ones included, but no FIFOs and sockets. */
export async function harvest(folder: string): Promise<Harvest> {
  const all = Object.entries(await harvestAll(folder))
  return Object.fromEntries(all.filter(([path]) => !path.startsWith(`${trashName}/`)))
}

/** The same with its trash. */
export async function harvestAll(folder: string, below = ''): Promise<Harvest> {
  const tree: Harvest = {}
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  if (entries.length === 0 && below !== '') tree[below] = ''
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${below}${entry.name}`
    if (entry.isDirectory()) Object.assign(tree, await harvestAll(folder, `${path}/`))
    else if (entry.isSymbolicLink()) tree[path] = { link: await readlink(join(folder, path)) }
    else if (entry.isFile()) tree[path] = await readFile(join(folder, path), 'utf8')
  }
  return tree
}

/** Makes a folder that is removed at the end of the test. */
export async function temporaryFolder(test: { after(work: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-test-'))
  test.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}
