import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

/** The program of a name in the folders of a `PATH`; a name with a slash is a path already. @returns undefined when there is none */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  if (name.includes('/')) return name
  for (const folder of path.split(':').filter(isAbsolute)) {
    const file = join(folder, name)
    if (await isProgram(file)) return file
  }
  return undefined
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
