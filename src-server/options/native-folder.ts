// The folder to which the executable unpacks its native modules. Whoever can write there can run code as the server, so nobody
// else may.
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Read by the executable's loader (see `scripts/package.ts`) when the first native module is loaded. */
const variable = 'PKG_NATIVE_CACHE_PATH'

/**
 * Makes `<cacheDir>/native` and has native modules unpacked there. Call it before any of them is loaded.
 * @returns a sentence that says why the folder cannot be used, or undefined
 */
export function unpackNativesBelow(cacheDir: string): string | undefined {
  const folder = join(cacheDir, 'native')
  process.env[variable] = folder
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return ownershipProblem(folder)
  } catch (error) {
    return `Native modules cannot be unpacked to ${folder} (${(error as NodeJS.ErrnoException).code}): name a folder that can be written with --cache-dir.`
  }
}

/** Has native modules unpacked to a private temporary folder. @returns a function that removes the folder */
export function unpackNativesTemporarily(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-native-'))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function ownershipProblem(folder: string): string | undefined {
  const { uid, mode } = lstatSync(folder)
  const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  if (isPrivate) return undefined
  delete process.env[variable]
  return `Native modules are not unpacked to ${folder}, because others can write there: remove it, or name another folder with --cache-dir.`
}
