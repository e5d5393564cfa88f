// What a disk is confined to, and what it finds there.
import { Failure } from '../base/failure.ts'
import { errnoOf } from './errno.ts'
import { below, type Grip, type Held } from './held.ts'
import type { OwnFiles } from './own-files.ts'
import { isPartName } from './part-names.ts'
import { hasName } from './spelling.ts'
import type { DiskSystem } from './system.ts'

/** What one disk is confined to, and how it goes about. */
export type Bounds = Readonly<{
  /** The scope's root, open as long as the disk is. */
  root: Held
  grip: Grip
  system: DiskSystem
  ours: OwnFiles
  /** Folders of the host, outside the root, into which links may lead. */
  linksInto: readonly string[]
}>

/** Where a path ends. The scope's root, and the root of a folder that links may lead into, has the name ''. */
export type Spot = Readonly<{
  /** The folder that the name lies in. */
  folder: Held
  name: string
  /** What stands there; undefined when the name is free. */
  thing: Held | undefined
  /** The identity of what has another name that the file system takes for this one: the name is neither there nor free. */
  alias?: string | undefined
}>

/** What stands under a name in a folder. @throws Failure('forbidden') when it is ours, be it there or not */
export async function holdIn({ grip, ours }: Bounds, folder: Held, name: string): Promise<Spot> {
  if (isPartName(name) || ours.isOurName(folder.identity, name)) throw new Failure('forbidden')
  const thing = await orNothing(grip.hold(below(folder, name)))
  if (!thing) return { folder, name, thing }
  try {
    if (ours.isOurThing(thing.identity)) throw new Failure('forbidden')
    if (await hasName(grip, folder, name, thing)) return { folder, name, thing }
  } catch (error) {
    thing.close()
    throw error
  }
  thing.close()
  return { folder, name, thing: undefined, alias: thing.identity }
}

/** Undefined for what is not there. */
export async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
