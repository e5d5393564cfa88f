// The system calls of the disk, of which one can be made to fail.
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'

/** A system call, by what it does. */
export type Step = 'open' | 'write' | 'sync' | 'close' | 'rename'

/** System calls of which the `nth` call of `step` after `arm` fails once with `code`. */
export function failing() {
  let armed: { step: Step; code: string; nth: number } | undefined
  const wrap =
    <A extends unknown[], R>(step: Step, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (armed?.step === step) armed.nth -= 1
      if (armed?.step === step && armed.nth === 0) {
        const { code } = armed
        armed = undefined
        if (step === 'close') await call(...args)
        throw Object.assign(new Error(`${code}: ${step}`), { code })
      }
      return call(...args)
    }
  const system: DiskSystem = {
    ...diskSystem,
    open: wrap('open', diskSystem.open),
    write: wrap('write', diskSystem.write),
    writev: wrap('write', diskSystem.writev),
    sync: wrap('sync', diskSystem.sync),
    close: wrap('close', diskSystem.close),
    rename: wrap('rename', diskSystem.rename),
  }
  return {
    system,
    arm: (step: Step, code: string, nth = 1) => {
      armed = { step, code, nth }
    },
    isSpent: () => armed === undefined,
  }
}
