// The files of a state, as they are copied into a backup and out of it.
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asUser, type HostUser } from '../base/act-as.ts'

/** A file or a folder below another folder. `mark` changes with each change of a file. */
export type Seen = Readonly<{ isFolder: boolean; mark: string }>

/** What belongs to a process, can be made again, or is another copy. */
const notCopied = /^\.(lock.*|pid|control|cache|reserve|tmp-.*|replaced-.*|restoring-.*|swapping-.*)$/

/** The names beside a state that are its own, and its own name. */
export function stateNamesIn(folder: string, name: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((other) => other === name || (other.startsWith(`${name}.`) && !notCopied.test(other.slice(name.length))))
}

/** All of a state, by path from its folder. Links are left out: nothing of a state is one. */
export function surveyed(stateFile: string): Map<string, Seen> {
  const folder = dirname(stateFile)
  const found = new Map<string, Seen>()
  const look = (path: string) => {
    const stats = fs.lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false })
    if (stats?.isFile()) found.set(path, { isFolder: false, mark: markOf(stats) })
    if (!stats?.isDirectory()) return
    found.set(path, { isFolder: true, mark: '' })
    for (const name of fs.readdirSync(join(folder, path))) if (!/\.tmp-[0-9a-f]{32}$/.test(name)) look(join(path, name))
  }
  for (const name of stateNamesIn(folder, basename(stateFile))) look(name)
  return found
}

const markOf = ({ ino, size, mtimeNs, ctimeNs }: fs.BigIntStats) => [ino, size, mtimeNs, ctimeNs].join('-')

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = fs.constants

/** Whether a folder that is open has a path in which nobody can put a link in its place. */
const hasOpenPaths = process.platform === 'linux'

/** A folder that is open. `at`: its path, which goes on to be it whatever is renamed. */
export type HeldFolder = Readonly<{ at: string; stats: fs.Stats; fd: number; close(): void }>

/** @throws what the system says, also for a link in its place */
export function holdFolder(path: string): HeldFolder {
  const fd = fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const at = hasOpenPaths ? `/proc/self/fd/${fd}` : path
  return { at, stats: fs.fstatSync(fd), fd, close: () => fs.closeSync(fd) }
}

/** Opens a file below a folder through no link, whatever somebody puts there meanwhile, and without waiting for a pipe. */
function openBelow(top: string, path: string): number {
  const [first = '', ...rest] = path.split('/')
  if (rest.length === 0) return fs.openSync(join(top, first), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const folder = holdFolder(join(top, first))
  try {
    return openBelow(folder.at, rest.join('/'))
  } finally {
    folder.close()
  }
}

/** `path`: below `from`. `writer` makes the copy. */
type Copied = Readonly<{ from: string; path: string; to: string; writer: HostUser }>

/** Copies a file durably, with its time. @returns the mark that it had before; undefined for one that is not there any more */
export function copyFile({ from, path, to, writer }: Copied): string | undefined {
  const source = openUnlessGone(from, path)
  if (source === undefined) return undefined
  try {
    const stats = fs.fstatSync(source, { bigint: true })
    const target = asUser(writer, () => fs.openSync(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600))
    try {
      copyBytes(source, target)
      fs.futimesSync(target, Number(stats.atimeMs) / 1000, Number(stats.mtimeMs) / 1000)
      fs.fsyncSync(target)
    } finally {
      fs.closeSync(target)
    }
    return markOf(stats)
  } finally {
    fs.closeSync(source)
  }
}

function openUnlessGone(from: string, path: string): number | undefined {
  try {
    return openBelow(from, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function copyBytes(source: number, target: number) {
  const buffer = Buffer.alloc(2 ** 20)
  for (let read = fs.readSync(source, buffer); read > 0; read = fs.readSync(source, buffer)) {
    let written = 0
    while (written < read) written += fs.writeSync(target, buffer, written, read - written)
  }
}

/** Makes the names in a folder survive a power failure. Windows cannot sync a folder. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return
  const fd = fs.openSync(folder, O_RDONLY)
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
