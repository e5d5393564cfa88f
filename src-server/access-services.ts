// Builds the services of the person who calls. Called by `services.ts`.
import { type ReadFrom, readActivity } from './activity/activity-log.ts'
import type { AuthenticateOptions } from './api/authenticate.ts'
import { trustedPeers } from './api/peers.ts'
import type { AdministratorServices, Caller, Makers, PersonServices } from './api/person-context.ts'
import type { Clock } from './base/clock.ts'
import type { Events } from './events/events.ts'
import type { UserFiles } from './files/user-files.ts'
import type { History } from './history/history.ts'
import { OwnHistory } from './history/own-history.ts'
import type { Jobs } from './jobs/jobs.ts'
import { OwnJobs } from './jobs/own-jobs.ts'
import type { LiveFolders } from './live/live-folders.ts'
import type { Options } from './options/options.ts'
import { isFolder, isServed } from './pages/branding-folder.ts'
import type { PublicRequests } from './requests/public-requests.ts'
import { ImportNotices } from './settings/import-notices.ts'
import { ServerSettings } from './settings/server-settings.ts'
import type { PublicShares } from './shares/public-shares.ts'
import { type CommandParts, OwnCommands } from './shell/own-commands.ts'
import type { State } from './state/state.ts'
import type { AccountView } from './state/views.ts'
import { OwnUploads } from './uploads/own-uploads.ts'
import { personAsker } from './uploads/person-asker.ts'
import type { Uploads } from './uploads/uploads.ts'
import type { AccessRevocation } from './users/access-revocation.ts'
import type { Accounts } from './users/accounts.ts'
import { OwnAccount } from './users/own-account.ts'
import { OwnSessions } from './users/own-sessions.ts'
import { Proof } from './users/proof.ts'
import type { Sessions } from './users/sessions.ts'
import type { SignIn } from './users/sign-in.ts'
import type { SignUp } from './users/sign-up.ts'
import type { UnnamedProxies } from './users/unnamed-proxies.ts'
import { type Homes, Users } from './users/users.ts'

/** The operation owns the disk that this opens. */
export type FilesOf = (caller: Omit<Caller, 'me'> & { me: AccountView }) => UserFiles

type AccessServices = Readonly<{
  options: Options
  state: State
  accounts: Accounts
  sessions: Sessions
  signIn: SignIn
  events: Events
  filesOf: FilesOf
  sharesOf: Makers<PersonServices>['shares']
  requestsOf: Makers<PersonServices>['requests']
  publicShares: PublicShares
  publicRequests: PublicRequests
  live: LiveFolders
  jobs: Jobs
  history: History
  uploads: Uploads
  homes: Homes
  signUp: SignUp
  revocation: AccessRevocation
  commands: CommandParts
  clock: Clock
  proxies: UnnamedProxies
}>

/** Who may call, and what each of them gets. */
export function accessParts(given: AccessServices): AuthenticateOptions {
  const { options, state, accounts, sessions, signIn, events, homes, commands, clock, proxies, signUp } = given
  const { revocation, publicShares, publicRequests, filesOf, live, jobs, history, uploads } = given
  const { authMethod, authHeader, hosts, baseURL } = options
  // Cookies are shared by all ports of a host, so each server has its own cookie name. Older clients send `auth`.
  const cookieNames = [`auth-${state.instance}`, 'auth']
  const activity = (from: ReadFrom) => (options.auditLog === undefined ? undefined : readActivity(options.auditLog, from))
  const hasPasswords = authMethod === 'json'
  const folders = { isFolder, isServed: (path: string) => isServed(path, options.root) }
  const proofOf = ({ me, source: { address } }: Caller) => new Proof({ signIn, sessions, clock, hasPasswords, me, address })
  const person: Makers<PersonServices> = {
    files: filesOf,
    shares: given.sharesOf,
    requests: given.requestsOf,
    commands: ({ me, source }) => new OwnCommands({ ...commands, me, source }),
    account: ({ me: { user }, source }) => new OwnAccount({ accounts, events, user, source }),
    users: (caller) => {
      const { me, source } = caller
      return new Users({ state, accounts, proof: proofOf(caller), events, me, source, homes })
    },
    sessions: ({ me, source }) => new OwnSessions({ accounts, sessions, events, me, source }),
    jobs: ({ me, source }) => new OwnJobs({ jobs, me, source }),
    history: (caller) => new OwnHistory({ history, userId: caller.me.user.id, deeds: filesOf(caller).deeds }),
    uploads: (caller) => {
      const { me, source, operation, grant } = caller
      const asker = personAsker({ revocation, filesOf }, { me, source, signal: operation.signal, grant })
      return new OwnUploads({ uploads, files: filesOf(caller), asker })
    },
    followJobs:
      ({ me }) =>
      (tell) =>
        jobs.follow(me.user.id, tell),
    signIn: () => signIn,
    live: () => live,
    follow: (caller) => async (tell) => {
      const unfollow = history.follow(caller.me.user.id, () => tell('acts'))
      caller.operation.own({ close: unfollow })
      const viewNow = await revocation.follow(caller.me, caller.operation, tell)
      return (operation) => {
        const view = viewNow()
        return view && filesOf({ me: view, operation, source: caller.source })
      }
    },
  }
  const administrator: Makers<AdministratorServices> = {
    ...person,
    settings: (caller) => {
      const { me, source } = caller
      return new ServerSettings({ state, events, ...folders, proxies, signUp, me, source, proof: proofOf(caller) })
    },
    imports: ({ me }) => new ImportNotices(state, me),
    activity: () => activity,
  }
  return {
    ...{ signIn, signUp, person, administrator, publicShares, publicRequests, revocation },
    ...{ authMethod, authHeader, trusts: trustedPeers(options.trustedProxies), hosts, cookieNames, baseURL },
  }
}
