import { admit } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import { bytesOf } from '../disk/bytes-of.ts'
import { ensureFolder } from './folders.ts'
import { type Pair, pairsOf, type Transfer } from './pairs.ts'
import { entryAt, isEnterable, type Place } from './walk.ts'

/**
 * Copies a file, a link or a tree, which `checkPairs` has found in order. What the visitor's rules hide stays out, and so do
 * links that leave the scope. Folders that the target lacks are made.
 */
export async function copyTree(place: Place, transfer: Transfer<'download'>): Promise<void> {
  await ensureFolder(place, parentOf(transfer.to))
  for await (const pair of pairsOf(place, transfer)) {
    // What vanishes from a tree while it is copied is left out; the source itself must not vanish.
    await writePair(place, pair, { ...transfer, mayVanish: pair.entry !== transfer.source })
  }
}

type WriteHow = Pick<Transfer, 'need' | 'override'> & { mayVanish: boolean }

/** Writes one thing to its new place. @throws Failure('notFound') when the folder it goes to has vanished */
export async function writePair(place: Place, pair: Pair<'download' | 'rename'>, how: WriteHow): Promise<void> {
  const { override } = how
  const target = admit(place.visitor, how.need === 'rename' ? 'rename' : 'create', pair.to)
  if (isEnterable(pair.entry)) return writeFolder(place, pair, { target, override })
  if (pair.entry.isSymlink) return writeLink(place, pair, { target, override })
  const file = await openSource(place, pair, how)
  if (!file) return
  try {
    await place.disk.write(target, bytesOf(file), { replace: override, like: pair.entry })
  } finally {
    await file.close()
  }
}

async function openSource({ disk }: Place, { ticket }: Pair<'download' | 'rename'>, { mayVanish }: WriteHow) {
  try {
    return await disk.open(ticket)
  } catch (error) {
    if (mayVanish && error instanceof Failure && error.code === 'notFound') return undefined
    throw error
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
