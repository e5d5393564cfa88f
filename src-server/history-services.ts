// Builds the history. Called by `services.ts`.
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './base/clock.ts'
import { History } from './history/history.ts'
import type { HistoryLimits } from './history/limits.ts'
import type { Options } from './options/options.ts'
import { HistoryFiles } from './state/history-files.ts'
import type { HistoryStore } from './state/history-store.ts'
import type { State } from './state/state.ts'

/** How much is kept, and where: in files beside the state, unless another store is given. */
export type HistoryOptions = Readonly<{ limits?: Partial<HistoryLimits>; store?: HistoryStore }>

const day = 24 * 3600_000

type HistoryServices = HistoryOptions &
  Readonly<{
    options: Options
    state: State
    clock: Clock
    log: FastifyBaseLogger
  }>

/** The history of everybody. */
export async function openHistory({ options, state, clock, log, limits, store: given }: HistoryServices) {
  const store = given ?? new HistoryFiles({ stateFile: options.database })
  const report = (error: unknown) => log.error({ err: error }, 'what a person did could not be kept to be undone')
  const { historyActs: acts, historyDays } = options
  const history = new History({ store, clock, limits: { acts, age: historyDays * day, ...limits }, report })
  const end = state.feed.listen(['user'], (news) => {
    for (const one of news) {
      if (one.kind !== 'user' || !one.before) continue
      if (!one.after) void history.removePerson(Number(one.id))
      // Signed out everywhere, or with another password.
      else if (one.after.accessEpoch !== one.before.accessEpoch) void history.endActs(Number(one.id))
    }
  })
  const ids: number[] = []
  for (let page = await state.users(); ; page = await state.users({ after: page.next })) {
    ids.push(...page.records.map(({ id }) => id))
    if (page.next === undefined) break
  }
  // Without it nothing from before can be undone, which is no reason not to serve the files.
  await history.open(ids).catch(report)
  const close = async () => {
    end()
    await history.close()
  }
  return { history, close }
}
