// Tells of a folder whether what is deleted or replaced in it goes into a trash, before anybody does that.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import type { DiskContext, GrantedPath } from './disk-context.ts'
import { NoTrash } from './driver.ts'
import { present } from './entry.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { openChild } from './open-child.ts'
import { below } from './path-handle.ts'
import { withNames } from './place-locks.ts'
import { trashName } from './reserved-names.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { assertServed, mountOf, openTrash, type Top, withTops } from './trash-folder.ts'

/** Milliseconds for which an answer is kept, and how many are. */
const [keptFor, mostKept] = [5000, 1000]

type Answer = Readonly<{ until: number; reason: Promise<string | undefined> }>

/** By the served root, the person, the mount and the file system: all folders with the same have their trash in the same folder. */
const answers = new Map<string, Answer>()

/** See `Disk.noTrash`. */
export function noTrash(context: DiskContext, asked: GrantedPath, owner: string): Promise<string | undefined> {
  return withResolvedPath(context, asked, true, (resolved) =>
    reasonOf(async () => {
      const folder = present(resolved)
      const folderPath = await context.strategy.hostPathOf(folder)
      const { servedPath } = assertServed(context, folderPath)
      const key = JSON.stringify([servedPath, owner, mountOf(folder), String(folder.stats.dev)])
      const known = answers.get(key)
      if (known && known.until > performance.now()) return known.reason
      const check = () => withTops(context, { folder, folderPath }, ([top]) => checkTop(context, top as Top, owner))
      const reason = reasonOf(() => check().then(() => undefined))
      keep(key, reason)
      return reason
    }),
  )
}

function keep(key: string, reason: Answer['reason']): void {
  if (answers.size >= mostKept) answers.clear()
  answers.set(key, { until: performance.now() + keptFor, reason })
  reason.catch(() => answers.delete(key))
}

/** @throws all but NoTrash, whose reason is returned */
async function reasonOf(work: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NoTrash) return String(Object.values(error.about)[0])
    throw error
  }
}

/** @throws NoTrash as `makeTrash` would, which makes nothing here */
function checkTop(context: DiskContext, { folder, path }: Top, owner: string): Promise<void> {
  // Not while its empty folders are removed.
  return withNames([{ folder, name: trashName }], async () => {
    const own = await openTrash(context, { folder, path }, owner)
    const there = own ?? (await openChild(context.strategy, folder, trashName))
    there?.close()
    if (there) return
    const mayMake = () => access(below(folder, '.'), constants.W_OK | constants.X_OK)
    await fileSystemOn(folder.stats.dev)
      .timed(mayMake)
      .catch((error: unknown) => {
        if (!['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) throw error
        throw new NoTrash('the server may not make a folder for it here', { cause: error })
      })
  })
}
