import * as fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Grant } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Entry } from './disk.ts'
import type { DiskContext } from './disk-context.ts'
import { entryOf, linkEntryAt, present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { mapLimit } from './map-limit.ts'
import { below, identityOf } from './path-handle.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { isTemporaryName } from './temporary-names.ts'

const readdir = promisify(fs.readdir)
const lstat = promisify(fs.lstat)

/** Milliseconds for which asking about entries may keep everybody else waiting. */
const longestTurn = 2
/** A disk that answers fewer questions in a turn would stall the server: the next ones go through the thread pool. */
const fewestAnswers = 50
const nextOnes = 250
/** Questions at once in the pool, which others need as well. */
const atOnce = 8

/** A name as its bytes, one character each, and as text. */
type Name = Readonly<{ bytes: string; text: string; isBroken: boolean }>
type Link = Readonly<{ index: number; stats: fs.BigIntStats }>

/** Everything in a folder but our own files, in the order of the disk. @throws Failure('invalid') when it is no folder */
export async function list(context: DiskContext, asked: Grant): Promise<Entry[]> {
  return withResolvedPath(context, asked, true, async (resolved) => {
    const folder = present(resolved)
    if (folder.kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const names = (await readdir(folder.address, { encoding: 'latin1' })).map(nameOf)
    const shown = names.filter(
      ({ text }) => !isTemporaryName(text) && !context.protectedPaths.isProtectedName(folder.identity, text),
    )
    const start = asked.path === '/' ? '/' : `${asked.path}/`
    const entries: Entry[] = []
    const links: Link[] = []
    await askAll(latin1(below(folder, '')), shown, (name, stats) => {
      if (context.protectedPaths.isProtected(identityOf(stats))) return
      const entry = entryIn(start, name, stats)
      if (entry.isSymlink && entry.unreachable !== 'name') links.push({ index: entries.length, stats })
      entries.push(entry)
    })
    await mapLimit(links, atOnce, async ({ index, stats }) => {
      const { path } = entries[index] as Entry
      entries[index] = await linkEntryAt(context, { ...asked, path }, stats)
    })
    return entries
  })
}

const ascii = /^[\0-\x7f]*$/

/** What bytes cannot be read as UTF-8 is shown with U+FFFD. A name may hold that itself: only its bytes tell the two apart. */
function nameOf(bytes: string): Name {
  if (ascii.test(bytes)) return { bytes, text: bytes, isBroken: false }
  const raw = Buffer.from(bytes, 'latin1')
  const text = raw.toString()
  return { bytes, text, isBroken: text.includes('\ufffd') && !Buffer.from(text).equals(raw) }
}

function entryIn(start: string, { text, isBroken }: Name, stats: fs.BigIntStats): Entry {
  // Not childOf(): what stands on the disk has a name, also when no visitor could ask for it.
  const path = (start + text) as Path
  const isSymlink = stats.isSymbolicLink()
  return entryOf({ path, name: text, stats, isSymlink, unreachable: isBroken ? 'name' : undefined })
}

/** What becomes of an answer; a name that has gone meanwhile has none. */
type Take = (name: Name, stats: fs.BigIntStats) => void

/**
 * Asks the system about each name below a folder's address and hands on what it says, in the order of the names.
 * Asked in short turns as long as the disk answers from memory, which takes a third of the time of the thread pool
 * (10,000 entries: 30 ms against 100 ms); through the pool as soon as it does not.
 * An answer is used at once: 100,000 of them, kept to the end, cost more time to keep than to ask for.
 */
async function askAll(folder: string, names: readonly Name[], take: Take): Promise<void> {
  let asked = 0
  while (asked < names.length) {
    const before = asked
    asked = askForATurn(folder, names, { from: asked, take })
    if (asked - before < fewestAnswers) asked = await askPool(folder, names, { from: asked, take })
    else await setImmediate()
  }
}

type Part = Readonly<{ from: number; take: Take }>

/** @returns how many names have been asked about by now */
function askForATurn(folder: string, names: readonly Name[], { from, take }: Part): number {
  const end = performance.now() + longestTurn
  for (let index = from; index < names.length; index++) {
    const name = names[index] as Name
    const stats = fs.lstatSync(addressOf(folder, name), { bigint: true, throwIfNoEntry: false })
    if (stats) take(name, stats)
    if (performance.now() > end) return index + 1
  }
  return names.length
}

async function askPool(folder: string, names: readonly Name[], { from, take }: Part): Promise<number> {
  const some = names.slice(from, from + nextOnes)
  const answers: (fs.BigIntStats | undefined)[] = []
  await mapLimit(some, atOnce, async (name, index) => {
    answers[index] = await lstat(addressOf(folder, name), { bigint: true }).catch(notThere)
  })
  for (const [index, name] of some.entries()) {
    const stats = answers[index]
    if (stats) take(name, stats)
  }
  return from + some.length
}

/** As bytes: names need not be UTF-8, and the executable looks every text up among its own files first. */
const addressOf = (folder: string, { bytes }: Name): Buffer => Buffer.from(folder + bytes, 'latin1')

/** The bytes of a text, one character each. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

function notThere(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error
}
