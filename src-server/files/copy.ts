import { admit } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import { bytesOf } from '../disk/bytes-of.ts'
import { ensureFolder } from './folders.ts'
import { checkPairs, type Pair, pairsOf, type Transfer } from './pairs.ts'
import { entryAt, isEnterable, type Place } from './walk.ts'

/**
 * Copies a file, a link or a tree. What the visitor's rules hide stays out, and so do links that leave the scope.
 * @throws Failure before anything is written when a part of the target is refused
 */
export async function copyTree(place: Place, transfer: Transfer<'download'>): Promise<void> {
  await checkPairs(place, transfer)
  await ensureFolder(place, parentOf(transfer.to))
  await writePairs(place, transfer)
}

/** Writes every pair; the check is the caller's. */
export async function writePairs(place: Place, transfer: Transfer): Promise<void> {
  for await (const pair of pairsOf(place, transfer)) {
    // A sibling of the source may vanish while its tree is copied; the source itself must not.
    if (pair.entry === transfer.source) await writePair(place, pair, transfer)
    else await ifStillThere(() => writePair(place, pair, transfer))
  }
}

async function ifStillThere(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'notFound')) throw error
  }
}

async function writePair(place: Place, pair: Pair<'download' | 'rename'>, { need, override }: Transfer) {
  const target = admit(place.visitor, need === 'rename' ? 'rename' : 'create', pair.to)
  if (isEnterable(pair.entry)) return writeFolder(place, pair, { target, override })
  if (pair.entry.isSymlink) return writeLink(place, pair, { target, override })
  const file = await place.disk.open(pair.ticket)
  try {
    await place.disk.write(target, bytesOf(file), { replace: override, like: pair.entry })
  } finally {
    await file.close()
  }
}

type Target = { target: ReturnType<typeof admit<'create' | 'rename'>>; override: boolean }

async function writeFolder(
  place: Place,
  { entry, to }: { entry: Pair<'download'>['entry']; to: Path },
  { target, override }: Target,
) {
  const isThere = override && (await entryAt(place, to))?.isDir
  if (!isThere) await place.disk.makeFolder(target, entry)
}

async function writeLink({ visitor, disk }: Place, { ticket, to }: Pair<'download' | 'rename'>, { target, override }: Target) {
  if (override && (await entryAt({ visitor, disk }, to))) await disk.remove(admit(visitor, 'modify', to))
  await disk.copyLink(ticket, target)
}
