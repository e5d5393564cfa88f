import type { FastifyInstance } from 'fastify'
import { ActivityLog } from './activity/activity-log.ts'
import type { Clock } from './base/clock.ts'
import type { Events } from './events/events.ts'
import { writeActivity } from './listeners/activity.ts'
import type { Options } from './options/options.ts'
import type { State } from './state/state.ts'

type ActivityParts = Readonly<{
  options: Options
  state: Pick<State, 'userNamed'>
  events: Events
  clock: Clock
  log: FastifyInstance['log']
}>

/** Starts the activity log of `--audit-log`. @returns what writes the last lines and closes the file */
export function startActivity({ options, state, events, clock, log }: ActivityParts): () => Promise<void> {
  if (options.auditLog === undefined) return async () => {}
  const activity = new ActivityLog({ file: options.auditLog, report: (sentence, error) => log.warn({ err: error }, sentence) })
  const isKnown = async (name: string) => (await state.userNamed(name)) !== undefined
  const end = writeActivity({ events, log: activity, clock, isKnown })
  return () => {
    end()
    return activity.close()
  }
}
