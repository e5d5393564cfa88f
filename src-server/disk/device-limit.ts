// Calls that change a frozen file system do not return, and each occupies a thread of the pool, which calls for other devices need.
import type { DeviceCalls } from './device-calls.ts'
import type { DiskContext } from './disk-context.ts'
import { fileSystemOn } from './file-systems.ts'
import type { PathHandle } from './path-handle.ts'
import type { DiskSystem } from './system.ts'

const limited = new WeakMap<DiskSystem, Map<bigint, DiskSystem>>()

/** The system calls for entries of a folder; their number at a time is limited for each device. */
export function systemFor({ system }: Pick<DiskContext, 'system'>, folder: PathHandle): DiskSystem {
  const device = folder.stats.dev
  const known = limited.get(system) ?? new Map<bigint, DiskSystem>()
  limited.set(system, known)
  const found = known.get(device) ?? limitedSystem(system, fileSystemOn(device).calls)
  known.set(device, found)
  return found
}

function limitedSystem(system: DiskSystem, calls: DeviceCalls): DiskSystem {
  const limited = (name: keyof DiskSystem) =>
    ((...asked: unknown[]) => calls.write(() => (system[name] as AnyCall)(...asked))) as DiskSystem[typeof name]
  const names = Object.keys(system) as (keyof DiskSystem)[]
  return Object.fromEntries(names.map((name) => [name, limited(name)])) as DiskSystem
}

type AnyCall = (...asked: unknown[]) => Promise<unknown>
