// What the handlers of a signed-in person get. A service is built when a handler first asks for it: most calls use one of them.
import type { Operation } from '../base/operation.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { LiveFolders } from '../live/live-folders.ts'
import type { AccountNews, Grant } from '../people/access-revocation.ts'
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

  /** For sockets: the files with the rights of this moment, whose disk the operation owns; undefined when the session has ended. */
  get filesNow(): (operation: Operation) => Promise<UserFiles | undefined> {
    return async (operation) => {
      const present = await this.parts.signIn.present(this.me)
      return present && this.parts.filesOf(present, operation, this.caller.source)
    }
  }

  /** For sockets: tells what concerns the page until the operation ends. */
  get follow(): (tell: (news: AccountNews) => void) => Promise<void> {
    return (tell) => this.parts.revocation.follow(this.me, this.caller.operation, tell)
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
