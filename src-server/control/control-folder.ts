// Where a running server is reached by commands of the same machine: a unix socket in a folder beside the state.
import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { besideState } from '../state/beside-state.ts'

/** The opened folder. The address of the socket in it has no more than the 107 bytes that one may have. */
export type ControlFolder = Readonly<{ fd: number; address: string; close(): void }>

/**
 * Opens the folder, so that nobody can put another in its place.
 * @param stateFile with links resolved
 * @param owner the id of the user to whom the folder must belong
 * @throws an errno: ENOENT without one, EACCES for that of another user, ENOTDIR or ELOOP for what is none
 */
export function openControlFolder(stateFile: string, owner: number): ControlFolder {
  const fd = openSync(besideState(stateFile, 'control'), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (fstatSync(fd).uid !== owner) throw Object.assign(new Error('it belongs to another user'), { code: 'EACCES' })
  } catch (error) {
    closeSync(fd)
    throw error
  }
  return { fd, address: `/proc/self/fd/${fd}/socket`, close: () => closeSync(fd) }
}

/** Makes the folder, which only this user may enter, and removes the socket of a server that was killed. Only for who has the lock. */
export function makeControlFolder(stateFile: string): ControlFolder {
  const path = besideState(stateFile, 'control')
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const folder = openControlFolder(stateFile, process.geteuid?.() ?? 0)
  try {
    fchmodSync(folder.fd, 0o700)
    rmSync(folder.address, { force: true })
  } catch (error) {
    folder.close()
    throw error
  }
  return folder
}
