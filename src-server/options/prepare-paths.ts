// Prepares the folders and the unix socket that the options name, after all options were checked.
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { StartupError } from '../base/startup-error.ts'
import type { Options } from './options.ts'

/**
 * Makes the root, when it is `files/` in the project's folder, and the cache folder (0700).
 * @throws StartupError
 */
export function prepareFolders(options: Options) {
  if (options.makesRoot) make(options.root, 0o750, '--root')
  make(options.cacheDir, 0o700, '--cache-dir')
  denyOthers(options.cacheDir)
}

/** Whether there is a state, which is made by the first start. */
export const hasState = ({ database }: Pick<Options, 'database'>): boolean => existsSync(database)

/**
 * What is said at a start when nothing can be changed in the root: it may be meant, or a folder that another user owns.
 * @param access as fs.accessSync
 */
export function rootWarning({ root }: Pick<Options, 'root'>, access = accessSync): string | undefined {
  try {
    access(root, constants.W_OK)
    return undefined
  } catch (error) {
    const [id, group] = [process.getuid?.(), process.getgid?.()]
    const who = id === undefined ? '' : ` by the user ${id} and the group ${group}`
    return `--root ${root} cannot be written${who} (${codeOf(error)}): uploads and other changes in it will be refused.`
  }
}

function make(folder: string, mode: number, option: string) {
  try {
    mkdirSync(folder, { mode })
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST' && lstatSync(folder).isDirectory()) return
    throw new StartupError(`${folder} cannot be made (${codeOf(cause)}): name a folder that can be written with ${option}.`, {
      cause,
    })
  }
}

function denyOthers(cacheDir: string) {
  if ((lstatSync(cacheDir).mode & 0o077) === 0) return
  try {
    chmodSync(cacheDir, 0o700)
  } catch (cause) {
    throw new StartupError(`${cacheDir} can be read by others (${codeOf(cause)}): name a folder of your own with --cache-dir.`, {
      cause,
    })
  }
}

/**
 * Removes a unix socket that no process listens on, so that the name is free.
 * @throws StartupError when a process listens on it, or when it is not a socket
 */
export async function removeStaleSocket(socket: string): Promise<void> {
  const found = lstatSync(socket, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new StartupError(`--socket ${socket} already exists and is not a socket: name another file.`)
  if (await answers(socket)) {
    throw new StartupError(`--socket ${socket} is in use by another process: stop that one first, or name another file.`)
  }
  unlinkSync(socket)
}

/** Lets owner and group connect and nobody else, whatever the umask. Call it once the socket listens. */
export function allowGroupOnSocket(socket: string) {
  chmodSync(socket, 0o660)
}

/** Only a refused connection proves that no process listens. After any other error the socket is kept. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', (error) => resolve(codeOf(error) !== 'ECONNREFUSED' && codeOf(error) !== 'ENOENT'))
  })
}

function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
