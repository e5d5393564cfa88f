import { stat } from 'node:fs/promises'

/** Whether there is a folder at a path of the host. */
export async function isFolder(path: string): Promise<boolean> {
  return (
    path.startsWith('/') &&
    (await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
}
