import { isDeepStrictEqual } from 'node:util'
import { matcherOf, type Rule } from '../access/rules.ts'
import { refusedField } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { RuleVerdict } from '../contract/rules.ts'
import type { Settings, SettingsChange } from '../contract/settings.ts'
import type { Events, Source } from '../events/events.ts'
import { mergedSettings, settingsVersion, shownSettings } from '../state/settings-commands.ts'
import type { State } from '../state/state.ts'
import type { StoredSettings } from '../state/state-data.ts'
import type { OperatorView, PersonView } from '../state/views.ts'

type SettingsParts = Readonly<{
  state: Pick<State, 'settings' | 'run'>
  events: Events
  /** Whether a path of the host is a folder. */
  isFolder(path: string): Promise<boolean>
  /** Whether a folder of the host lies in the served one. */
  isServed(path: string): boolean
  /** Peers that send forwarded headers without being named. */
  proxies: Readonly<{ names: readonly string[] }>
  signUp: Readonly<{ obstacle(settings: StoredSettings): Promise<'method' | 'root' | 'room' | undefined> }>
  me: PersonView | OperatorView
  source: Source
  /** What shows that the person is there, for what takes over accounts. */
  proof: Readonly<{ give(password: string | undefined): Promise<void>; check(): void }>
}>

type ChangeHow = Readonly<{
  /** The settings must have one of these versions; undefined: any. */
  versions?: readonly string[] | 'any' | undefined
  /** Of the person who changes them. */
  currentPassword?: string | undefined
}>

/** The settings, and what changes with every change of them. */
export type VersionedSettings = Readonly<{ settings: Settings; version: string }>

/** The settings of the server, as administrators see and change them. */
export class ServerSettings {
  readonly #parts: SettingsParts

  constructor(parts: SettingsParts) {
    this.#parts = parts
  }

  /** Peers that send forwarded headers and are not named by `--trusted-proxy`. */
  get unnamedProxies(): readonly string[] {
    return this.#parts.proxies.names
  }

  /** What stops everybody from signing up and is none of the settings. */
  async signupObstacle(): Promise<'method' | 'room' | undefined> {
    const { signUp, me } = this.#parts
    const obstacle = await signUp.obstacle(me.settings)
    return obstacle === 'root' ? undefined : obstacle
  }

  /** The present settings. */
  read(): VersionedSettings {
    return versioned(this.#parts.me.settings)
  }

  /**
   * Changes the given fields; durable when it resolves. Nothing is changed when one of them is refused. The event names those
   * whose values differ: forms send all of theirs.
   * @throws Failure('invalid') naming the field, Failure('changed') when the settings have another version,
   * Failure('forbidden') without a fresh proof, when the change is about rights or commands
   */
  async change(change: SettingsChange, { versions, currentPassword }: ChangeHow = {}): Promise<VersionedSettings> {
    const { state, events, me, source, proof } = this.#parts
    const { id, username: name } = me.user
    const { session } = me
    await proof.give(currentPassword)
    const before = await state.settings()
    if (changesRights(before, change)) proof.check()
    await this.#checkFolder(before.branding.files, change.branding?.files)
    const event = {
      kind: 'serverSettings',
      fields: changedBy(before, change),
      by: { ...(session && { id }), name },
      ...source,
    } as const
    const expected = versions === 'any' ? undefined : versions
    const by = session && { by: { userId: id, sessionId: session.id } }
    const stored = await events.around(event, () => state.run('changeSettings', { change, versions: expected, ...by }))
    return versioned(stored)
  }

  /**
   * Finds the rule that decides about a path: the last one that matches.
   * @param path from the scope of a user
   * @param own the rules of the user
   * @param global rules that are not stored yet; unless given, the stored ones
   */
  decide(path: Path, own: readonly Rule[], global: readonly Rule[] = this.#parts.me.settings.rules): RuleVerdict {
    const all = [
      ...global.map((rule, index) => ({ of: 'global' as const, index, rule })),
      ...own.map((rule, index) => ({ of: 'user' as const, index, rule })),
    ]
    const found = all.findLast(({ rule }) => matcherOf(rule)(path))
    if (found === undefined) return { allowed: true }
    return { allowed: found.rule.allow, decidedBy: { of: found.of, index: found.index } }
  }

  async #checkFolder(before: string, path = '') {
    if (path !== '' && !(await this.#parts.isFolder(path))) {
      throw refusedField('branding.files', 'is not the absolute path of a folder')
    }
    // One that is stored already stays: forms send all fields.
    if (path !== '' && path !== before && this.#parts.isServed(path)) {
      throw refusedField('branding.files', 'is a folder in the served one, where whoever may write files could change it')
    }
  }
}

/** The names of the fields whose values differ. */
function changedBy(stored: StoredSettings, change: SettingsChange): string[] {
  const [before, after] = beforeAndAfter(stored, change)
  const isOther = (field: keyof Settings) => !isDeepStrictEqual(before[field], after[field])
  return Object.keys(change).filter((name) => isOther(name as keyof Settings))
}

/** Whether somebody may do more or less afterwards, or another program runs. */
function changesRights(stored: StoredSettings, change: SettingsChange): boolean {
  const [before, after] = beforeAndAfter(stored, change)
  return !isDeepStrictEqual(rightsIn(before), rightsIn(after))
}

function beforeAndAfter(stored: StoredSettings, change: SettingsChange): [Settings, Settings] {
  return [shownSettings(stored), shownSettings(mergedSettings(stored, change))]
}

const rightsIn = ({ rules, shell, commands, createUserDir, defaults: { perm, scope, commands: listed } }: Settings) => [
  ...[rules, shell, commands, createUserDir],
  ...[perm, scope, listed],
]

function versioned(stored: StoredSettings): VersionedSettings {
  return { settings: shownSettings(stored), version: settingsVersion(stored) }
}
