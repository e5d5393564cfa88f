import { authorize, type Capability } from '../access/authorize.ts'
import { pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import { orAborted } from '../base/or-aborted.ts'
import { joined, type Path, parentOf, parsePath, pathBelow, rootPath } from '../base/paths.ts'
import { noteFolder } from './deeds.ts'
import { withRoomAt } from './room.ts'
import { entryAt, type FileContext } from './walk.ts'

/**
 * Makes a folder and its missing parents, each authorized. One that exists already is no error.
 * @throws Failure('conflict') when a file is in the way, Failure('forbidden') when the principal may not create there
 */
export async function ensureFolder(context: FileContext, path: Path): Promise<void> {
  const missing: Path[] = []
  for (let at = path; ; at = parentOf(at)) {
    const found = await entryAt(context, at)
    if (found && !found.isDir) throw new Failure('conflict', 'a file is in the way')
    if (found || at === '/') {
      await untilMade(context, at)
      break
    }
    missing.push(at)
  }
  // All are authorized before the first is created, so that a refusal creates no folder.
  const folders = missing.reverse().map((folder) => [folder, authorize(context.principal, 'create', folder)] as const)
  if (folders.length === 0) return
  await context.disk.batch(async (disk) => {
    for (const [folder, capability] of folders) await makeAlone({ ...context, disk }, folder, capability)
  })
}

/** A path without links on the way, as far as there are folders. */
export async function withoutLinks(context: FileContext, path: Path): Promise<Path> {
  for (let at = parentOf(path); ; at = parentOf(at)) {
    const found = await entryAt(context, at)
    const folder = found?.isSymlink ? await targetOf(context, at) : found?.truePath
    if (found || at === '/') return joined(folder ?? at, path.slice(at === '/' ? 0 : at.length) as Path)
  }
}

/**
 * Of an entry, the path of the served root that has no links on the way, by which it is known on which disk that lies; the served root
 * itself where a link leads out of the person's files.
 */
export async function trulyAt(context: FileContext, path: Path): Promise<Path> {
  try {
    const truly = await withoutLinks(context, path)
    const isOutside = (await entryAt(context, parentOf(truly)))?.isSymlink
    return isOutside ? rootPath : pathsOf(context.principal, truly).served
  } catch (error) {
    // They may not see the folder any more.
    if (error instanceof Failure) return pathsOf(context.principal, path).served
    throw error
  }
}

/** @returns undefined for a link that leads out of the person's files, where no rule counts */
async function targetOf({ principal, disk }: FileContext, path: Path): Promise<Path | undefined> {
  const [root, target] = [
    await disk.hostPath(authorize(principal, 'read', rootPath)),
    await disk.hostPath(authorize(principal, 'read', path)),
  ]
  return pathBelow(parsePath(root), parsePath(target))
}

/**
 * Folders that are being made, by their served paths. Nothing in one is noted before itself is: what is undone in the reverse order would
 * find it not empty. Those of an unfinished upload are noted with it, when it has its name.
 */
const beingMade = new Map<string, Promise<void>>()

const servedAt = ({ principal }: FileContext, path: Path): string => pathsOf(principal, path).served

/** Waits for whoever makes a folder at this moment. */
async function untilMade(context: FileContext, path: Path): Promise<void> {
  const key = servedAt(context, path)
  for (let making = beingMade.get(key); making; making = beingMade.get(key)) await orAborted(making, context.signal)
}

async function makeAlone(context: FileContext, folder: Path, capability: Capability<'create'>): Promise<void> {
  await untilMade(context, folder)
  const key = servedAt(context, folder)
  const { promise, resolve } = Promise.withResolvers<void>()
  beingMade.set(key, promise)
  try {
    const isMade = await withRoomAt(context, folder, () => makeOne(context, capability))
    if (isMade) await noteFolder(context, folder)
  } finally {
    beingMade.delete(key)
    resolve()
  }
}

/** @returns whether it was made here */
async function makeOne({ disk, signal }: FileContext, capability: Capability<'create'>): Promise<boolean> {
  try {
    await disk.makeFolder(capability, undefined, signal)
    return true
  } catch (error) {
    // Two uploads into the same new folder both create it; for the second it exists.
    if (!(error instanceof Failure && error.code === 'conflict')) throw error
    return false
  }
}
