// The services that the command line uses, of a running server or for a state that the command has opened itself.
import type { Principal } from './access/principal.ts'
import type { Clock } from './base/clock.ts'
import type { Operation } from './base/operation.ts'
import { answerLine } from './control/calls.ts'
import type { OperatorServices } from './control/operator-services.ts'
import type { Disk } from './disk/disk.ts'
import type { Events } from './events/events.ts'
import { HomeFolders } from './files/home-folders.ts'
import type { Options } from './options/options.ts'
import { isFolder, isServed } from './pages/branding-folder.ts'
import { ServerSettings } from './settings/server-settings.ts'
import { Shares } from './shares/shares.ts'
import type { State } from './state/state.ts'
import type { Accounts } from './users/accounts.ts'
import { operatorProof, operatorSource, operatorView } from './users/operator.ts'
import type { Sessions } from './users/sessions.ts'
import { SignUp } from './users/sign-up.ts'
import { UnnamedProxies } from './users/unnamed-proxies.ts'
import { Users } from './users/users.ts'

type ControlServiceParts = Readonly<{
  options: Pick<Options, 'root' | 'linksInto' | 'authMethod'>
  state: State
  accounts: Accounts
  sessions: Sessions
  events: Events
  clock: Clock
  diskFor(principal: Principal, operation: Operation): Disk
  /** Called before something is looked up or made in the root. @throws StartupError when it is not known which folder is served */
  checkRoot?(): void
}>

/** Answers the calls of the command line, each a line. @param report is told what only the log says */
export function answerCommands(parts: ControlServiceParts, report: (error: unknown) => void): (line: string) => Promise<string> {
  const services = operatorServices(parts)
  return (line) => answerLine(line, { services, report })
}

function operatorServices({ options, diskFor, checkRoot = () => {}, ...parts }: ControlServiceParts): OperatorServices {
  const { state, accounts, events, clock } = parts
  const folders = new HomeFolders({ events, diskFor })
  const proxies = new UnnamedProxies()
  const signUp = new SignUp({
    ...{ accounts, state, hasPasswords: options.authMethod === 'json' },
    ...{ homes: folders, events, clock, proxies },
  })
  const homes: ConstructorParameters<typeof Users>[0]['homes'] = {
    make: async (path, asker) => {
      checkRoot()
      await folders.make(path, asker)
    },
  }
  const common = async () => ({ me: operatorView(await state.settings()), source: operatorSource, proof: operatorProof })
  const isInRoot = (path: string) => {
    checkRoot()
    return isServed(path, options.root)
  }
  const host = { isFolder, isServed: isInRoot }
  return {
    ...parts,
    isServed: (path) => isInRoot(path) || options.linksInto.some((folder) => isServed(path, folder)),
    shares: new Shares({ state, clock }),
    users: async () => new Users({ state, accounts, events, homes, ...(await common()) }),
    settings: async () => new ServerSettings({ state, events, ...host, proxies, signUp, ...(await common()) }),
  }
}
