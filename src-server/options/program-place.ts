import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import type { ProgramPlace } from './read-options.ts'

/** Where this program lies: it is one executable, or runs from a folder of sources. */
export function programPlace(): ProgramPlace {
  if (isSea()) return { executable: realpathSync(process.execPath) }
  return { project: topFolder(dirname(realpathSync(process.argv[1] ?? '.'))) }
}

/** The nearest folder above that holds a package.json. */
function topFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return folder
  return topFolder(dirname(folder))
}
