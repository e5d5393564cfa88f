// Commands of the same machine reach a running server by a socket beside its state. What answers them is loaded at the first one.
import { type Clock, systemClock } from './base/clock.ts'
import { listenForCommands } from './control/control-socket.ts'
import type { Options } from './options/options.ts'
import type { Services } from './services.ts'

type Parts = Pick<Services, 'app' | 'state' | 'accounts' | 'sessions' | 'events' | 'disks'>

/** @returns waits for the commands that run, and ends it. Where no socket can be made the log says so, and the server goes on. */
export async function listenForOperator(
  parts: Parts,
  options: Options,
  clock: Clock = systemClock,
): Promise<() => Promise<void>> {
  const { app, disks, state } = parts
  // Pipes of Windows have names of their own, and other rights.
  if (process.platform === 'win32') return async () => {}
  const report = (error: unknown) => app.log.error({ err: error }, 'a command of this machine failed')
  let answer: Promise<(line: string) => Promise<string>> | undefined
  const load = async () => {
    const { answerCommands } = await import('./control-services.ts')
    return answerCommands({ ...parts, options, clock, diskFor: disks.for }, report)
  }
  try {
    return await listenForCommands({
      stateFile: state.file,
      answer: async (line) => {
        answer ??= load()
        return (await answer)(line)
      },
    })
  } catch (error) {
    app.log.warn({ err: error }, 'commands of this machine cannot reach this server: they need it to be stopped')
    return async () => {}
  }
}
