// Where the executable unpacks its native parts. Whoever can write there runs code as the server, so the folder is nobody else's.
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the executable's loader reads when the first native part is asked for; `scripts/package.ts` sees to it. */
const variable = 'PKG_NATIVE_CACHE_PATH'

/**
 * Makes `<cacheDir>/native` and has native parts unpacked there: to be called before anything loads one.
 * @returns what is wrong with the folder, as a sentence, when no native part can be loaded
 */
export function unpackNativesBelow(cacheDir: string): string | undefined {
  const folder = join(cacheDir, 'native')
  process.env[variable] = folder
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return strangersIn(folder)
  } catch (error) {
    return `Native parts cannot be unpacked to ${folder} (${(error as NodeJS.ErrnoException).code}): name a folder that can be written with --cache-dir.`
  }
}

/** The same in a private temporary folder. @returns what removes it */
export function unpackNativesForAWhile(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-native-'))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function strangersIn(folder: string): string | undefined {
  const { uid, mode } = lstatSync(folder)
  const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  if (isOurs) return undefined
  delete process.env[variable]
  return `Native parts are not unpacked to ${folder}, because others can write there: remove it, or name another folder with --cache-dir.`
}
