import * as fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Bounds } from './bounds.ts'
import { atSpot } from './confine.ts'
import type { Entry } from './disk.ts'
import { entryOf, linkEntryAt, present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { below, belowBytes, type Held, identityOf } from './held.ts'
import { inTurns } from './in-turns.ts'
import { isPartName } from './part-names.ts'
import type { SystemPath } from './system.ts'

const readdir = promisify(fs.readdir) as (path: string, options: { encoding: 'buffer' }) => Promise<Buffer[]>
const lstat = promisify(fs.lstat)

/** Milliseconds for which asking about entries may keep everybody else waiting. */
const longestTurn = 2
/** A disk that answers fewer questions in a turn would stall the server: the next ones go through the thread pool. */
const fewestAnswers = 50
const nextOnes = 250
/** Questions at once in the pool, which others need as well. */
const atOnce = 8

type Name = Readonly<{ text: string; isBroken: boolean; address: SystemPath }>

/** Everything in a folder but our own files, in the order of the disk. @throws Failure('invalid') when it is no folder */
export async function list(bounds: Bounds, asked: Admitted): Promise<Entry[]> {
  return atSpot(bounds, asked, true, async (spot) => {
    const folder = present(spot)
    if (folder.kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const names = (await readdir(folder.address, { encoding: 'buffer' })).map((bytes) => nameOf(folder, bytes))
    const shown = names.filter(({ text }) => !isPartName(text) && !bounds.ours.isOurName(folder.identity, text))
    const answers = await askAll(shown.map(({ address }) => address))
    const entries = shown.flatMap((name, index) => {
      const stats = answers[index]
      return !stats || bounds.ours.isOurThing(identityOf(stats)) ? [] : [{ entry: entryIn(asked.path, name, stats), stats }]
    })
    await inTurns(entries, atOnce, async (one) => {
      if (!one.entry.isSymlink || one.entry.unreachable === 'name') return
      one.entry = await linkEntryAt(bounds, { ...asked, path: one.entry.path }, one.stats)
    })
    return entries.map(({ entry }) => entry)
  })
}

/** What bytes cannot be read as UTF-8 is shown with U+FFFD. A name may hold that itself: only its bytes tell the two apart. */
function nameOf(folder: Held, bytes: Buffer): Name {
  const text = bytes.toString()
  const isBroken = text.includes('\ufffd') && !Buffer.from(text).equals(bytes)
  return { text, isBroken, address: isBroken ? belowBytes(folder, bytes) : below(folder, text) }
}

function entryIn(folder: Path, { text, isBroken }: Name, stats: fs.BigIntStats): Entry {
  // Not childOf(): what stands on the disk has a name, also when no visitor could ask for it.
  const path = `${folder === '/' ? '' : folder}/${text}` as Path
  const isSymlink = stats.isSymbolicLink()
  return entryOf({ path, name: text, stats, isSymlink, unreachable: isBroken ? 'name' : undefined })
}

type Answers = (fs.BigIntStats | undefined)[]

/**
 * What the system says of each address, undefined for what has gone meanwhile.
 * Asked in short turns as long as the disk answers from memory, which takes a third of the time of the thread pool
 * (10,000 entries: 30 ms against 100 ms); through the pool as soon as it does not.
 */
async function askAll(addresses: readonly SystemPath[]): Promise<Answers> {
  const answers: Answers = []
  while (answers.length < addresses.length) {
    const before = answers.length
    askForATurn(addresses, answers)
    if (answers.length - before < fewestAnswers) await askPool(addresses, answers)
    else await setImmediate()
  }
  return answers
}

function askForATurn(addresses: readonly SystemPath[], answers: Answers) {
  const end = performance.now() + longestTurn
  for (let address = addresses[answers.length]; address !== undefined; address = addresses[answers.length]) {
    answers.push(fs.lstatSync(address, { bigint: true, throwIfNoEntry: false }))
    if (performance.now() > end) return
  }
}

async function askPool(addresses: readonly SystemPath[], answers: Answers) {
  const start = answers.length
  await inTurns(addresses.slice(start, start + nextOnes), atOnce, async (address, index) => {
    answers[start + index] = await lstat(address, { bigint: true }).catch(notThere)
  })
}

function notThere(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error
}
