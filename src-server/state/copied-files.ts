// The files of a state, as they are copied into a backup and out of it.
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asUser, type HostUser } from '../base/act-as.ts'

/** A file or a folder below another folder. `mark` changes with each change of a file. */
export type Seen = Readonly<{ isFolder: boolean; mark: string }>

/** What belongs to a process, can be made again, or is another copy. */
const notCopied = /^\.(lock.*|pid|control|cache|reserve|tmp-.*|replaced-.*|restoring-.*)$/

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

// Never through a link that somebody has put in its place, and never waiting for a pipe.
const reading = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK
const writing = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_NOFOLLOW

/** `reader` opens what is read, `writer` what is written. */
type CopyHow = Readonly<{ reader: HostUser; writer: HostUser }>

/** Copies a file durably, with its time. @returns the mark that it had before; undefined for one that is not there any more */
export function copyFile(from: string, to: string, { reader, writer }: CopyHow): string | undefined {
  const source = openUnlessGone(from, reader)
  if (source === undefined) return undefined
  try {
    const stats = fs.fstatSync(source, { bigint: true })
    const target = asUser(writer, () => fs.openSync(to, writing, 0o600))
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

function openUnlessGone(file: string, reader: HostUser): number | undefined {
  try {
    return asUser(reader, () => fs.openSync(file, reading))
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
  const fd = fs.openSync(folder, fs.constants.O_RDONLY)
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
