// Builds the services of the person who calls. Called by `services.ts`.
import { type ReadFrom, readActivity } from './activity/activity-log.ts'
import type { AuthenticateOptions } from './api/authenticate.ts'
import { trustedPeers } from './api/peers.ts'
import type { Clock } from './base/clock.ts'
import type { Events, Source } from './events/events.ts'
import type { LiveFolders } from './live/live-folders.ts'
import type { Options } from './options/options.ts'
import { isFolder, isServed } from './pages/branding-folder.ts'
import type { AccessRevocation } from './people/access-revocation.ts'
import type { Accounts } from './people/accounts.ts'
import { OwnAccount } from './people/own-account.ts'
import { OwnSessions } from './people/own-sessions.ts'
import { Proof } from './people/proof.ts'
import type { Sessions } from './people/sessions.ts'
import type { Identity, SignIn } from './people/sign-in.ts'
import type { SignUp } from './people/sign-up.ts'
import type { UnnamedProxies } from './people/unnamed-proxies.ts'
import { type Homes, Users } from './people/users.ts'
import { ServerSettings } from './settings/server-settings.ts'
import type { PublicShares } from './shares/public-shares.ts'
import { type CommandParts, OwnCommands } from './shell/own-commands.ts'
import type { State } from './state/state.ts'

type AccessServices = Readonly<{
  options: Options
  state: State
  accounts: Accounts
  sessions: Sessions
  signIn: SignIn
  events: Events
  filesOf: AuthenticateOptions['filesOf']
  sharesOf: AuthenticateOptions['sharesOf']
  publicShares: PublicShares
  live: LiveFolders
  homes: Homes
  signUp: SignUp
  revocation: AccessRevocation
  commands: CommandParts
  clock: Clock
  proxies: UnnamedProxies
}>

/** Who may call, and what each of them gets. */
export function accessParts(given: AccessServices): AuthenticateOptions {
  const { options, state, accounts, sessions, signIn, events, homes, commands, clock, proxies, ...opened } = given
  const { authMethod, authHeader, hosts, baseURL } = options
  const trusts = trustedPeers(options.trustedProxies)
  // Cookies are shared by all ports of a host, so each server has its own cookie name. Older clients send `auth`.
  const cookieNames = [`auth-${state.instance}`, 'auth']
  const accountOf = ({ user }: Identity, source: Source) => new OwnAccount({ accounts, events, user, source })
  const activity = (from: ReadFrom) => (options.auditLog === undefined ? undefined : readActivity(options.auditLog, from))
  const hasPasswords = authMethod === 'json'
  const proofOf = (me: Identity, { address }: Source) => new Proof({ signIn, sessions, clock, hasPasswords, me, address })
  const usersOf = (me: Identity, source: Source) =>
    new Users({ state, accounts, proof: proofOf(me, source), events, me, source, homes })
  const sessionsOf = (me: Identity, source: Source) => new OwnSessions({ accounts, sessions, events, me, source })
  const commandsOf = (me: Identity, source: Source) => new OwnCommands({ ...commands, me, source })
  const settingsOf = (me: Identity, source: Source) => {
    const folders = { isFolder, isServed: (path: string) => isServed(path, options.root) }
    return new ServerSettings({
      state,
      events,
      ...folders,
      proxies,
      signUp: given.signUp,
      me,
      source,
      proof: proofOf(me, source),
    })
  }
  return {
    ...opened,
    signIn,
    accountOf,
    usersOf,
    sessionsOf,
    commandsOf,
    settingsOf,
    activity,
    authMethod,
    authHeader,
    trusts,
    hosts,
    cookieNames,
    baseURL,
  }
}
