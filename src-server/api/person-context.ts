// What the handlers of a signed-in person get. A service is built when a handler first asks for it: most calls use one of them.
import type { Operation } from '../base/operation.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { LiveFolders } from '../live/live-folders.ts'
import type { LiveReader } from '../live/live-socket.ts'
import type { Grant } from '../people/access-revocation.ts'
import type { OwnAccount } from '../people/own-account.ts'
import type { OwnSessions } from '../people/own-sessions.ts'
import type { Identity, SignIn } from '../people/sign-in.ts'
import type { Users } from '../people/users.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import type { OwnShares } from '../shares/own-shares.ts'
import type { OwnCommands } from '../shell/own-commands.ts'
import type { AuthenticateOptions } from './authenticate.ts'
import type { ReadActivity } from './context.ts'

/** Who calls, from where. Its resources are owned by the operation. */
export type Caller = Readonly<{ me: Identity; operation: Operation; source: Source; grant: Grant | undefined }>

export class PersonContext {
  readonly me: Identity
  protected readonly parts: AuthenticateOptions
  protected readonly caller: Caller
  #files: UserFiles | undefined
  #shares: OwnShares | undefined
  #commands: OwnCommands | undefined

  constructor(parts: AuthenticateOptions, caller: Caller) {
    this.me = caller.me
    this.parts = parts
    this.caller = caller
  }

  get files(): UserFiles {
    const { me, operation, source, grant } = this.caller
    this.#files ??= this.parts.filesOf(me, operation, source, grant)
    return this.#files
  }

  get shares(): OwnShares {
    const { me, operation, source } = this.caller
    this.#shares ??= this.parts.sharesOf(me, operation, source)
    return this.#shares
  }

  get commands(): OwnCommands {
    this.#commands ??= this.parts.commandsOf(this.me, this.caller.source)
    return this.#commands
  }

  get account(): OwnAccount {
    return this.parts.accountOf(this.me, this.caller.source)
  }

  get users(): Users {
    return this.parts.usersOf(this.me, this.caller.source)
  }

  get sessions(): OwnSessions {
    return this.parts.sessionsOf(this.me, this.caller.source)
  }

  get signIn(): Pick<SignIn, 'renew' | 'logout'> {
    return this.parts.signIn
  }

  get live(): LiveFolders {
    return this.parts.live
  }

  /** For sockets: tells what concerns the page until the operation ends. */
  get follow(): LiveReader['follow'] {
    return async (tell) => {
      const viewNow = await this.parts.revocation.follow(this.me, this.caller.operation, tell)
      return (operation) => {
        const view = viewNow()
        return view && this.parts.filesOf(view, operation, this.caller.source)
      }
    }
  }
}

export class AdministratorContext extends PersonContext {
  get settings(): ServerSettings {
    return this.parts.settingsOf(this.me, this.caller.source)
  }

  get activity(): ReadActivity {
    return this.parts.activity
  }
}
