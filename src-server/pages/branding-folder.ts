import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'

/** Whether a path of the host is absolute and leads to a folder. */
export async function isFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/** Logs at a start that a stored folder lies in the served one: a new one there is refused. */
export function reportBrandingFolder(path: string, root: string, log: { warn(text: string): void }): void {
  if (path !== '' && isServed(path, root))
    log.warn(`the branding folder ${path} lies in the served folder: whoever may write files there changes the page of all`)
}

/** Whether a folder lies in the served one, so that whoever may write files changes what the page shows to all. */
export function isServed(path: string, root: string): boolean {
  try {
    const below = relative(realpathSync(root), realpathSync(path))
    return below !== '..' && !below.startsWith('../')
  } catch {
    return false
  }
}
