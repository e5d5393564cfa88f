// What the handlers of a signed-in person get. A service is built when a handler first asks for it: most calls use one of them.
import type { Operation } from '../base/operation.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { OwnHistory } from '../history/own-history.ts'
import type { OwnJobs } from '../jobs/own-jobs.ts'
import type { LiveFolders } from '../live/live-folders.ts'
import type { LiveReader } from '../live/live-socket.ts'
import type { OwnRequests } from '../requests/own-requests.ts'
import type { ImportNotices } from '../settings/import-notices.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import type { OwnShares } from '../shares/own-shares.ts'
import type { OwnCommands } from '../shell/own-commands.ts'
import type { OwnUploads } from '../uploads/own-uploads.ts'
import type { Grant } from '../users/access-revocation.ts'
import type { OwnAccount } from '../users/own-account.ts'
import type { OwnSessions } from '../users/own-sessions.ts'
import type { Identity, SignIn } from '../users/sign-in.ts'
import type { Users } from '../users/users.ts'
import type { ReadActivity } from './context.ts'

/** Who calls, from where. Its resources are owned by the operation; `grant` is asked before a file gets its name. */
export type Caller = Readonly<{ me: Identity; operation: Operation; source: Source; grant?: Grant | undefined }>

export type PersonServices = {
  files: UserFiles
  shares: OwnShares
  requests: OwnRequests
  commands: OwnCommands
  account: OwnAccount
  users: Users
  sessions: OwnSessions
  jobs: OwnJobs
  history: OwnHistory
  uploads: OwnUploads
  signIn: Pick<SignIn, 'renew' | 'logout'>
  live: LiveFolders
  /** For sockets: tells what concerns the page until the operation ends. */
  follow: LiveReader['follow']
  /** For sockets: tells how far the person's jobs are. */
  followJobs: LiveReader['followJobs']
}

export type AdministratorServices = PersonServices & {
  settings: ServerSettings
  imports: ImportNotices
  activity: ReadActivity
}

/** Makes each service for a caller. */
export type Makers<S> = { readonly [K in keyof S]: (caller: Caller) => S[K] }

export type ContextOf<S> = Readonly<S & { me: Identity }>

/** @returns makes the context of a caller */
export function contextsOf<S extends object>(makers: Makers<S>): (caller: Caller) => ContextOf<S> {
  class Context {
    readonly me: Identity
    readonly caller: Caller
    readonly made: Partial<S> = {}

    constructor(caller: Caller) {
      this.me = caller.me
      this.caller = caller
    }
  }
  for (const name of Object.keys(makers) as (keyof S)[]) {
    const get = function (this: Context) {
      this.made[name] ??= makers[name](this.caller)
      return this.made[name]
    }
    Object.defineProperty(Context.prototype, name, { get })
  }
  return (caller) => new Context(caller) as unknown as ContextOf<S>
}
