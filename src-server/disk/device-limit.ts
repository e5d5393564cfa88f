// Calls that change a frozen file system do not return, and each occupies a thread of the pool, which calls for other devices need.
import type { DeviceCalls } from './device-calls.ts'
import type { DiskContext } from './disk-context.ts'
import { fileSystemOn } from './file-systems.ts'
import type { PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'

const limited = new WeakMap<DiskSystem, Map<bigint, DiskSystem>>()

/** The system calls for entries of a folder; their number at a time is limited for each device. */
export function systemFor({ system }: DiskContext, folder: PathHandle): DiskSystem {
  const device = folder.stats.dev
  const known = limited.get(system) ?? new Map<bigint, DiskSystem>()
  limited.set(system, known)
  const found = known.get(device) ?? limitedSystem(system, fileSystemOn(device).calls)
  known.set(device, found)
  return found
}

function limitedSystem(system: DiskSystem, calls: DeviceCalls): DiskSystem {
  return {
    open: (...asked) => calls.write(() => system.open(...asked)),
    close: (...asked) => calls.write(() => system.close(...asked)),
    write: (...asked) => calls.write(() => system.write(...asked)),
    writev: (...asked) => calls.write(() => system.writev(...asked)),
    truncate: (...asked) => calls.write(() => system.truncate(...asked)),
    sync: (...asked) => calls.write(() => system.sync(...asked)),
    syncData: (...asked) => calls.write(() => system.syncData(...asked)),
    link: (...asked) => calls.write(() => system.link(...asked)),
    rename: (...asked) => calls.write(() => system.rename(...asked)),
    unlink: (...asked) => calls.write(() => system.unlink(...asked)),
    mkdir: (...asked) => calls.write(() => system.mkdir(...asked)),
    rmdir: (...asked) => calls.write(() => system.rmdir(...asked)),
    symlink: (...asked) => calls.write(() => system.symlink(...asked)),
    setMode: (...asked) => calls.write(() => system.setMode(...asked)),
    setOwner: (...asked) => calls.write(() => system.setOwner(...asked)),
    setTimes: (...asked) => calls.write(() => system.setTimes(...asked)),
  }
}
