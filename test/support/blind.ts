// A file system that is blind to case, to the form of letters and to dots at the end, made of one that is not.
import * as fs from 'node:fs'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem, type SystemPath } from '../../src-server/disk/system.ts'

/** The address of what such a file system would find. */
function found(path: SystemPath): string {
  const address = String(path)
  const cut = address.lastIndexOf('/')
  const [folder, name] = [address.slice(0, cut), address.slice(cut + 1)]
  if (fs.lstatSync(address, { throwIfNoEntry: false }) || !fs.existsSync(folder)) return address
  const other = fs.readdirSync(folder).find((entry) => folded(entry) === folded(name))
  return other === undefined ? address : `${folder}/${other}`
}

function folded(name: string) {
  return name.normalize('NFC').toLowerCase().replace(/\.+$/, '')
}

function checkFree(path: SystemPath, syscall: string) {
  if (found(path) !== String(path)) throw Object.assign(new Error(`EEXIST: ${syscall}`), { code: 'EEXIST', syscall })
}

export const caseInsensitiveStrategy: HandleStrategy = {
  ...descriptorStrategy,
  openPath: async (address) => descriptorStrategy.openPath(found(address)),
}

export const caseInsensitiveSystem: DiskSystem = {
  ...diskSystem,
  open: async (path, flags, mode) => {
    if (flags & fs.constants.O_EXCL) checkFree(path, 'open')
    return diskSystem.open(path, flags, mode)
  },
  link: async (from, to) => {
    checkFree(to, 'link')
    await diskSystem.link(found(from), to)
  },
  mkdir: async (path, mode) => {
    checkFree(path, 'mkdir')
    await diskSystem.mkdir(path, mode)
  },
  symlink: async (target, path) => {
    checkFree(path, 'symlink')
    await diskSystem.symlink(target, path)
  },
  rename: async (from, to) => {
    const [source, target] = [found(from), found(to)]
    const isOne = identityAt(source) === identityAt(target)
    await diskSystem.rename(source, isOne ? to : target)
  },
  unlink: async (path) => diskSystem.unlink(found(path)),
  rmdir: async (path) => diskSystem.rmdir(found(path)),
}

function identityAt(path: string) {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
