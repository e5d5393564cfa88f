// Host paths at which the target of a link that leaves the scope enters it again.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { type DiskContext, ignoringNotFound } from './disk-context.ts'
import { namesIn } from './link-target.ts'

const realpath = promisify(fs.realpath)

/** The host path of the scope and of each folder that links may lead into: the configured and the true path → the true path. */
export type Entrances = { scope: string; others: Map<string, string> }

export async function entrancesTo({ root, strategy, linksInto }: DiskContext): Promise<Entrances> {
  const others = new Map<string, string>()
  for (const folder of linksInto) {
    const real = await ignoringNotFound(realpath(folder))
    for (const path of real === undefined ? [] : [folder, real]) others.set(namesIn(path).join('/'), real ?? folder)
  }
  return { scope: namesIn(await strategy.hostPathOf(root)).join('/'), others }
}
