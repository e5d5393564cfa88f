// Builds the services of links that take files in. Called by `services.ts`.
import type { Principal } from './access/principal.ts'
import type { Makers, PersonServices } from './api/person-context.ts'
import type { Clock } from './base/clock.ts'
import type { Operation } from './base/operation.ts'
import type { Disk } from './disk/disk.ts'
import type { Events } from './events/events.ts'
import { principalOf } from './files/principal-of.ts'
import type { Options } from './options/options.ts'
import { OwnRequests } from './requests/own-requests.ts'
import type { State } from './state/state.ts'
import type { Passwords } from './users/passwords.ts'

type RequestServices = Readonly<{
  options: Options
  state: State
  events: Events
  diskFor(principal: Principal, operation: Operation): Disk
  clock: Clock
  passwords: Passwords
}>

/** The links with which people ask others for files. */
export function buildRequests({ options, diskFor, ...parts }: RequestServices) {
  const shortestPassword = options.linkPasswordLength
  const requestsOf: Makers<PersonServices>['requests'] = ({ me: { user, session, settings }, operation, source }) => {
    const principal = principalOf(user, settings.rules)
    const disk = diskFor(principal, operation)
    const own = { principal, sessionId: session.id, disk, source, signal: operation.signal }
    return new OwnRequests({ ...parts, shortestPassword, ...own })
  }
  return { requestsOf }
}
