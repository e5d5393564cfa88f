// Folders and the unix socket that the options name: made ready here, after all options were found good.
import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { StartupProblem } from '../base/startup-problem.ts'
import type { Options } from './options.ts'

/**
 * Makes the root, when it is the project's own `files/`, and the cache folder (0700).
 * @throws StartupProblem
 */
export function prepareFolders(options: Options) {
  if (options.makesRoot) make(options.root, 0o750, '--root')
  make(options.cacheDir, 0o700, '--cache-dir')
  closeToOthers(options.cacheDir)
}

function make(folder: string, mode: number, option: string) {
  try {
    mkdirSync(folder, { mode })
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST' && lstatSync(folder).isDirectory()) return
    throw new StartupProblem(`${folder} cannot be made (${codeOf(cause)}): name a folder that can be written with ${option}.`, {
      cause,
    })
  }
}

function closeToOthers(cacheDir: string) {
  if ((lstatSync(cacheDir).mode & 0o077) === 0) return
  try {
    chmodSync(cacheDir, 0o700)
  } catch (cause) {
    throw new StartupProblem(`${cacheDir} is open to others (${codeOf(cause)}): name a folder of your own with --cache-dir.`, {
      cause,
    })
  }
}

/**
 * Makes way for a unix socket: a stale one is removed.
 * @throws StartupProblem when somebody listens there, or when it is something else than a socket
 */
export async function clearSocket(socket: string): Promise<void> {
  const found = lstatSync(socket, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new StartupProblem(`--socket ${socket} is there already and is no socket: name another file.`)
  if (await answers(socket)) {
    throw new StartupProblem(`--socket ${socket} is in use by another process: stop that one first, or name another file.`)
  }
  unlinkSync(socket)
}

/** Lets the owner and the group in, and nobody else, whatever the umask: to be called once it listens. */
export function openSocketToGroup(socket: string) {
  chmodSync(socket, 0o660)
}

/** Only a refused connection says that nobody listens; whatever else goes wrong, the socket is left alone. */
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
