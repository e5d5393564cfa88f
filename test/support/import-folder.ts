// A folder with a database of File Browser, the root that it served, and a place for a state.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { importDatabase } from '../../src-server/import-database.ts'
import { readOptions } from '../../src-server/options/read-options.ts'
import { databaseOf, type StoredRecords } from './file-browser.ts'

const fixture = join(import.meta.dirname, '../fixtures/filebrowser/filebrowser-2.63.db')

type FolderSetup = Readonly<{
  /** Files below the root: paths that begin with a slash. */
  files?: readonly string[]
  /** Those of the database; without them it is the one of 2.63.23. */
  records?: StoredRecords
}>

export function importFolder(t: TestContext, { files = [], records }: FolderSetup = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'import-'))
  t.after(() => rmSync(folder, { recursive: true, maxRetries: 20 }))
  const at = (path: string) => join(folder, path)
  mkdirSync(at('root'))
  for (const file of files) {
    mkdirSync(dirname(at(`root${file}`)), { recursive: true })
    writeFileSync(at(`root${file}`), `content of ${file}`)
  }
  writeFileSync(at('filebrowser.db'), records === undefined ? readFileSync(fixture) : databaseOf(records))
  return { folder, at }
}

/** What a command line of `holdall import` is read as. @throws StartupError */
export const readImport = (cwd: string, ...argv: string[]) =>
  readOptions({ argv: ['import', ...argv], env: {}, cwd, location: { executable: join(cwd, 'holdall') }, version: '1.0.0' })

/** Runs it; the state is `holdall.json` in the folder. */
export const runImport = (cwd: string, ...argv: string[]) => runImportWith({}, cwd, ...argv)

type Replaced = Pick<Parameters<typeof importDatabase>[0], 'system' | 'bcrypt'>

/** No password is one that everybody tries: real checks take a while for each user. */
const noneGuessed = { verify: async () => false }

/** Runs it with other system calls for what it writes, or another check of passwords. */
export async function runImportWith(replaced: Replaced, cwd: string, ...argv: string[]) {
  const read = readImport(cwd, ...argv)
  if (read.kind !== 'import') throw new Error(`it is read as ${read.kind}`)
  let text = ''
  const code = await importDatabase({ ...read, bcrypt: noneGuessed, ...replaced, now: 1_795_900_000 }, (part) => {
    text += part
  })
  return { code, text }
}
