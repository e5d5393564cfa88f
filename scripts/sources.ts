// Finds out whether a product was built from the current sources.
import { createHash } from 'node:crypto'
import { glob, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

const top = resolve(import.meta.dirname, '..')

/** The sources of the server's bundle. */
export const bundleSources = [
  'src-server/**/*',
  'src-ui/**/*',
  'locales/*',
  'build.ts',
  'scripts/notices.ts',
  'scripts/licenses/*',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
/** The sources of the executable: those of the bundle, the packager and the compiled terminal. */
export const packageSources = [
  ...bundleSources,
  'scripts/package.ts',
  'scripts/code-cache.ts',
  'node_modules/node-pty/build/Release/pty.node',
]

/** A hash of the names and contents of all files that match the patterns, and of the version of Node. */
export async function hashOf(patterns: readonly string[]): Promise<string> {
  const names: string[] = []
  for await (const entry of glob([...patterns], { cwd: top, withFileTypes: true })) {
    if (entry.isFile()) names.push(resolve(entry.parentPath, entry.name))
  }
  const hash = createHash('sha256').update(process.version)
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(await readFile(name))
  return hash.digest('hex')
}

/** Whether `product` exists, is complete, and was built from the sources with this hash. */
export async function isFresh(product: string, sources: string): Promise<boolean> {
  const made = await readFile(stampOf(product), 'utf8').catch(() => '')
  return made === (await stampText(product, sources).catch(() => undefined))
}

/** Records that a product was built from the sources with this hash. */
export async function markFresh(product: string, sources: string): Promise<void> {
  await writeFile(stampOf(product), await stampText(product, sources))
}

/** Call it before a product is built, so that an incomplete one does not count as fresh. */
export async function markStale(product: string): Promise<void> {
  await rm(stampOf(product), { force: true })
}

function stampOf(product: string) {
  return join(dirname(product), `.${basename(product)}.sources`)
}

async function stampText(product: string, sources: string) {
  const { size, mtimeMs } = await stat(product)
  return `${sources} ${size} ${mtimeMs}\n`
}
