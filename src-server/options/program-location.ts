import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import type { ProgramLocation } from './read-options.ts'

/** Finds out whether this program is the executable or runs from source, and where it lies. */
export function programLocation(): ProgramLocation {
  if (isSea()) return { executable: realpathSync(process.execPath) }
  return { project: topFolder(dirname(realpathSync(process.argv[1] ?? '.'))) }
}

/** This folder or its nearest ancestor with a package.json. */
function topFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return folder
  return topFolder(dirname(folder))
}
