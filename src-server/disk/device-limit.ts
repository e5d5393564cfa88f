// Calls that change a frozen file system do not return, and each occupies a thread of the pool, which calls for other devices need.
import { Slots } from '../base/slots.ts'
import type { DiskContext } from './disk-context.ts'
import type { PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'

/** Half of the threads of the pool, as libuv counts them. */
const atOnce = Math.max(1, Math.floor((Number(process.env.UV_THREADPOOL_SIZE) || 4) / 2))

const limits = new Map<bigint, Slots>()
const limited = new WeakMap<DiskSystem, Map<bigint, DiskSystem>>()

/** The system calls for entries of a folder; their number at a time is limited for each device. */
export function systemFor({ system }: DiskContext, folder: PathHandle): DiskSystem {
  const device = folder.stats.dev
  const known = limited.get(system) ?? new Map<bigint, DiskSystem>()
  limited.set(system, known)
  const found = known.get(device) ?? limitedSystem(system, limitOf(device))
  known.set(device, found)
  return found
}

function limitOf(device: bigint) {
  const limit = limits.get(device) ?? new Slots(atOnce)
  limits.set(device, limit)
  return limit
}

function limitedSystem(system: DiskSystem, limit: Slots): DiskSystem {
  return {
    open: (...asked) => limit.run(() => system.open(...asked)),
    close: (...asked) => limit.run(() => system.close(...asked)),
    write: (...asked) => limit.run(() => system.write(...asked)),
    writev: (...asked) => limit.run(() => system.writev(...asked)),
    sync: (...asked) => limit.run(() => system.sync(...asked)),
    syncData: (...asked) => limit.run(() => system.syncData(...asked)),
    link: (...asked) => limit.run(() => system.link(...asked)),
    rename: (...asked) => limit.run(() => system.rename(...asked)),
    unlink: (...asked) => limit.run(() => system.unlink(...asked)),
    mkdir: (...asked) => limit.run(() => system.mkdir(...asked)),
    rmdir: (...asked) => limit.run(() => system.rmdir(...asked)),
    symlink: (...asked) => limit.run(() => system.symlink(...asked)),
    setMode: (...asked) => limit.run(() => system.setMode(...asked)),
    setOwner: (...asked) => limit.run(() => system.setOwner(...asked)),
    setTimes: (...asked) => limit.run(() => system.setTimes(...asked)),
  }
}
