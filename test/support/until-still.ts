import { setImmediate } from 'node:timers/promises'

/** In several turns of the event loop, also work that lets others have a turn between two calls makes its next call. */
const stillTurns = 10

/**
 * Waits until this process makes no call to a file system through the thread pool any more. Everything that could go on has then gone
 * on, and what is left waits for what the test holds back.
 */
export async function untilStill(): Promise<void> {
  for (let turns = 0; turns < stillTurns; turns++) {
    await setImmediate()
    if (process.getActiveResourcesInfo().some((kind) => kind.includes('Req'))) turns = -1
  }
}
