// Simulates case-insensitive file systems, which also ignore Unicode normalization, on a case-sensitive one.
import * as fs from 'node:fs'
import { SerialQueue } from '../../src-server/base/serial-queue.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem, type SystemPath } from '../../src-server/disk/system.ts'

type Fold = (name: string) => string

/** The case folding of ext4, f2fs and APFS: by Unicode; dots at the end count. */
const unicode: Fold = (name) => name.normalize('NFD').toUpperCase().toLowerCase().toUpperCase()
/** The case folding of vfat, which also drops dots at the end. */
const dotless: Fold = (name) => unicode(name).replace(/\.+$/, '')

/** The path of the entry that such a file system would find. */
function found(path: SystemPath, fold: Fold): string {
  const address = String(path)
  const cut = address.lastIndexOf('/')
  const [folder, name] = [address.slice(0, cut), address.slice(cut + 1)]
  if (fs.lstatSync(address, { throwIfNoEntry: false }) || !fs.existsSync(folder)) return address
  const other = fs.readdirSync(folder).find((entry) => fold(entry) === fold(name))
  return other === undefined ? address : `${folder}/${other}`
}

function checkFree(path: SystemPath, syscall: string, fold: Fold) {
  if (found(path, fold) !== String(path)) throw Object.assign(new Error(`EEXIST: ${syscall}`), { code: 'EEXIST', syscall })
}

/** As ZFS may be set: case-sensitive, but Unicode forms are equal. */
const formless: Fold = (name) => name.normalize('NFC')

const strategyWith = (fold: Fold): HandleStrategy => ({
  ...descriptorStrategy,
  openPath: async (address) => descriptorStrategy.openPath(found(address, fold)),
})

/** A name is looked for and made at once, as by a file system: two that are equal cannot both be made. */
const systemWith = (fold: Fold): DiskSystem => {
  const queue = new SerialQueue()
  return {
    ...diskSystem,
    open: (path, flags, mode) => {
      if (!(flags & fs.constants.O_EXCL)) return diskSystem.open(path, flags, mode)
      return queue.run(async () => {
        checkFree(path, 'open', fold)
        return diskSystem.open(path, flags, mode)
      })
    },
    link: (from, to) =>
      queue.run(async () => {
        checkFree(to, 'link', fold)
        await diskSystem.link(found(from, fold), to)
      }),
    mkdir: (path, mode) =>
      queue.run(async () => {
        checkFree(path, 'mkdir', fold)
        await diskSystem.mkdir(path, mode)
      }),
    symlink: (target, path) =>
      queue.run(async () => {
        checkFree(path, 'symlink', fold)
        await diskSystem.symlink(target, path)
      }),
    rename: (from, to) =>
      queue.run(async () => {
        const [source, target] = [found(from, fold), found(to, fold)]
        const isOne = identityAt(source) === identityAt(target)
        await diskSystem.rename(source, isOne ? to : target)
      }),
    unlink: async (path) => diskSystem.unlink(found(path, fold)),
    rmdir: async (path) => diskSystem.rmdir(found(path, fold)),
  }
}

export const caseInsensitiveStrategy: HandleStrategy = strategyWith(dotless)
export const caseInsensitiveSystem: DiskSystem = systemWith(dotless)

/** With dots at the end kept, as on most case-insensitive file systems. */
export const unicodeInsensitive = { strategy: strategyWith(unicode), system: systemWith(unicode) }

/** Case-sensitive, but Unicode forms are equal. */
export const formInsensitive = { strategy: strategyWith(formless), system: systemWith(formless) }

function identityAt(path: string) {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
