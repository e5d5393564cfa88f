import type { Clock } from '../base/clock.ts'

/**
 * Sends a signal to all processes of a group. One that has ended already is no error.
 * @param leader the process id of the one that began the group
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Milliseconds between the request to end and the end by force. */
const shutdownGrace = 5000

type Group = Readonly<{ leader: number; ended: Promise<unknown>; clock: Clock }>

/** Sends SIGHUP to a process group, and SIGKILL when its leader has not ended after five seconds. @returns when it has */
export async function endGroup({ leader, ended, clock }: Group): Promise<void> {
  signalGroup(leader, 'SIGHUP')
  const cancel = clock.after(shutdownGrace, () => signalGroup(leader, 'SIGKILL'))
  await ended
  cancel()
}
