// The system calls of a disk that can be full.
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'

/** `space.isFull`: what needs space is refused, after `space.left` more such calls. */
export function fullSystem() {
  const space = { isFull: false, left: 0 }
  const needing = <A extends unknown[], R>(call: (...asked: A) => Promise<R>) => {
    return async (...asked: A): Promise<R> => {
      if (space.isFull && space.left-- <= 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
      return call(...asked)
    }
  }
  const { write, writev, rename, link, mkdir } = diskSystem
  const system: DiskSystem = {
    ...diskSystem,
    write: needing(write),
    writev: needing(writev),
    rename: needing(rename),
    link: needing(link),
    mkdir: needing(mkdir),
  }
  return { system, space }
}
