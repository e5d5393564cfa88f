import type { Permissions } from '../access/permissions.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Events, Source } from '../events/events.ts'
import { mostUsers } from '../state/user-commands.ts'
import type { Views } from '../state/views.ts'
import type { Accounts } from './accounts.ts'
import { givesWholeRoot, type HomeSettings, homeOf } from './home-folder.ts'
import { checkPassword } from './password-rules.ts'
import { SignUpCounts } from './sign-up-counts.ts'
import { sourceOf } from './source-address.ts'
import type { UnnamedProxies } from './unnamed-proxies.ts'
import { checkPublicName, checkUsername } from './user-names.ts'

/** The home folders of people who sign up: a folder that is there already is refused, because its files are somebody's. */
export type NewHomes = Readonly<{
  /** Makes a folder below the served root. @throws Failure('conflict') when it is there already */
  makeNew(path: Path, how: { by: { name: string }; source: Source }): Promise<void>
  /** Removes it again while it is empty. */
  removeEmpty(path: Path, how: { by: { name: string }; source: Source }): Promise<void>
}>

type SignUpSettings = HomeSettings & Readonly<{ signup: boolean; defaults: Readonly<{ scope: string; perm: Permissions }> }>

type SignUpParts = Readonly<{
  accounts: Accounts
  state: Pick<Views, 'settings' | 'userCount'>
  /** People can make accounts only where they sign in with a password. */
  hasPasswords: boolean
  homes: NewHomes
  events: Events
  clock: Clock
  proxies: Pick<UnnamedProxies, 'isShared'>
}>

/** Name and password of a new account, and where the request comes from. */
export type NewAccount = Readonly<{ username: string; password: string; address: string }>

/** What stops everybody from signing up, also while sign-up is allowed. */
export type SignUpObstacle = 'method' | 'root' | 'room'

/** Places among the users that are left to administrators. */
const keptPlaces = 100

/** Accounts that people make for themselves. */
export class SignUp {
  readonly #parts: SignUpParts
  readonly #counts: SignUpCounts

  constructor(parts: SignUpParts) {
    this.#parts = parts
    this.#counts = new SignUpCounts(parts.clock, (source) => parts.proxies.isShared(source))
  }

  /** @returns undefined when people could sign up */
  async obstacle(settings: HomeSettings): Promise<SignUpObstacle | undefined> {
    const { state, hasPasswords } = this.#parts
    if (!hasPasswords) return 'method'
    if (givesWholeRoot(settings)) return 'root'
    return mostUsers - (await state.userCount()) <= keptPlaces ? 'room' : undefined
  }

  /** Whether somebody can sign up now. */
  async isOpen(settings: SignUpSettings): Promise<boolean> {
    return settings.signup && (await this.obstacle(settings)) === undefined
  }

  /**
   * Makes an account with the defaults of new users, but never as an administrator, and without commands.
   * @param verify asks whether a person is there; called before what costs time
   * @throws Failure('method') while sign-up is off, Failure('forbidden') while it would give the whole served root,
   * Failure('invalid'), Failure('tooMany') after five in an hour from the address, fifty where many share it, Failure('conflict') when the name is taken
   */
  async signUp({ username, password, address }: NewAccount, verify: () => Promise<void>): Promise<void> {
    const { accounts, state, events, homes } = this.#parts
    const settings = await state.settings()
    const obstacle = await this.obstacle(settings)
    if (!settings.signup || obstacle === 'method') throw new Failure('method', 'sign-up is off', { allow: [] })
    checkUsername(username)
    checkPublicName(username)
    checkPassword(password)
    const { scope, isOwn } = homeOf(username, undefined, settings)
    if (scope === '/') throw new Failure('forbidden', 'sign-up needs home folders, or a scope for new users')
    if (obstacle === 'room') throw new Failure('forbidden', 'there is no room for more accounts')
    await verify()
    this.#counts.add(address)
    const by = { name: username }
    const source = { address, way: 'page' } as const
    const asker = { by, source }
    const home = { prepare: () => homes.makeNew(scope, asker), undo: () => homes.removeEmpty(scope, asker) }
    await events.around({ kind: 'user', act: 'create', user: username, by, ...source }, () =>
      accounts.create(
        { username, password, scope, ...rightsOf(settings.defaults.perm) },
        { isOwnHome: isOwn, source: sourceOf(address), ...(isOwn && home) },
      ),
    )
  }
}

/** The permissions that new users begin with, as far as strangers may have them. */
function rightsOf(perm: Permissions) {
  return { perm: { ...perm, admin: false, execute: false }, commands: [], rules: [], lockPassword: false }
}
