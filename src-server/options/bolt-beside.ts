// A database of File Browser that is named as the state: it is never written, and the state stands beside it.
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { join, parse } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import type { OptionSource } from './option-source.ts'

/** What the meta pages of Bolt begin with, in the order of their bytes. */
const magic = Buffer.from([0xed, 0xda, 0x0c, 0xed])

/** Where the first meta page begins, and the second, which follows a page of any size. */
const metaPages = [0, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]

/** Bytes of a page before what it holds. */
const pageHeader = 16

/** Whether a file is a database of Bolt, also when one of its two meta pages is damaged; false for what cannot be read. */
export function isBolt(file: string): boolean {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    // A state is JSON.
    if (bytesAt(fd, 0, 1).toString() === '{') return false
    const opened = fd
    return metaPages.some((page) => bytesAt(opened, page + pageHeader, magic.length).equals(magic))
  } catch {
    return false
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, at))
}

/** The list of mounts, as proc(5) describes mountinfo. */
const readMounts = () => readFileSync('/proc/self/mountinfo', 'utf8')

/**
 * The state for a file that --database names: the file itself, unless it is a database of File Browser, or was one that is gone by now.
 * @param given its path is absolute
 * @throws StartupError when what stands beside the database would go with the container
 */
export function stateFor(given: OptionSource, mounts = readMounts): string {
  const { dir, name } = parse(given.value)
  const beside = join(dir, `${name}.holdall.json`)
  const isOld = existsSync(given.value) ? isBolt(given.value) : existsSync(beside)
  if (!isOld) return given.value
  if (isMountPoint(given.value, mounts))
    throw new StartupError(
      `${given.from} ${given.value} is a file that is mounted alone, and what is kept beside it would go with the container: mount a folder for the state, and name a file in it with --database /data/holdall.json.`,
    )
  return beside
}

function isMountPoint(file: string, mounts: () => string): boolean {
  try {
    const point = realpathSync(file).replaceAll(/[\s\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
    return mounts()
      .split('\n')
      .some((line) => line.split(' ')[4] === point)
  } catch {
    return false
  }
}
