import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** Whether a path of the host is absolute and leads to a folder. */
export async function isFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
