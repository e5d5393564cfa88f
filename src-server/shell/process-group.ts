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
