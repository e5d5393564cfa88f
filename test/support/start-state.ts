import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { DiskSystem } from '../../src-server/disk/system.ts'
import { Events } from '../../src-server/events/events.ts'
import type { StateLog } from '../../src-server/state/open-state.ts'
import { State } from '../../src-server/state/state.ts'
import type { StateDraft, StoredUser, UserDraft } from '../../src-server/state/state-data.ts'
import { Accounts } from '../../src-server/users/accounts.ts'
import { Attempts } from '../../src-server/users/attempts.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { Sessions } from '../../src-server/users/sessions.ts'
import { SignIn } from '../../src-server/users/sign-in.ts'
import { Tokens } from '../../src-server/users/tokens.ts'
import { StoppedClock } from './clock.ts'

/** Fast hashes, for tests that are not about hashing. */
export const cheapCost = { memory: 64, passes: 1, lanes: 1 }

export const goodPassword = 'a long and easy password'

/** States to close before a folder is removed: hooks run in the order of registration, and that of the folder comes first. */
const opened = new WeakMap<TestContext, State[]>()

async function closeAll(t: TestContext) {
  for (const state of opened.get(t) ?? []) await state.close()
}

/** Makes a folder that is removed at the end of the test, after the states in it were closed. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-test-'))
  t.after(async () => {
    await closeAll(t)
    // Again where a program of the test, which is ended after this, has just written into it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  })
  return folder
}

/** A visible edit of the state: sets the name of the server. */
export const rename = (name: string) => (draft: StateDraft) => {
  draft.settings = { ...draft.settings, branding: { ...draft.settings.branding, name } }
}

/** The record of a user, by name or by id. */
export function userIn({ data }: State, user: string | number): StoredUser | undefined {
  return data.users.find(({ id, username }) => user === (typeof user === 'string' ? username : id))
}

/** Changes fields of a user by an edit of the record. */
export function changeUser(
  { accounts, state }: { accounts: Accounts; state: State },
  id: number,
  edit: (user: UserDraft) => void,
): Promise<void> {
  const before = userIn(state, id)
  if (before === undefined) throw new Error(`There is no user ${id}`)
  const after = { ...before }
  edit(after)
  const names = Object.keys(after) as (keyof StoredUser)[]
  const changed = names.filter((name) => after[name] !== before[name])
  return accounts.change(id, Object.fromEntries(changed.map((name) => [name, after[name]])))
}

type StartOptions = { file?: string; clock?: StoppedClock; system?: DiskSystem; log?: StateLog }

/** Opens a state in a new folder, or in `file`. It is closed at the end of the test. */
export async function startState(
  t: TestContext,
  { file = join(temporaryFolder(t), 'holdall.json'), clock, system, log }: StartOptions = {},
) {
  const state = await State.open({
    file,
    clock: clock ?? new StoppedClock(),
    ...(system !== undefined && { system }),
    ...(log !== undefined && { log }),
  })
  opened.set(t, [...(opened.get(t) ?? []), state])
  t.after(() => closeAll(t))
  return state
}

type PeopleOptions = StartOptions & { lifetime?: number; passwords?: Passwords }

/** Opens a state and starts the services of users. */
export async function startPeople(t: TestContext, { lifetime = 7200, ...options }: PeopleOptions = {}) {
  const clock = options.clock ?? new StoppedClock()
  const state = await startState(t, { ...options, clock })
  const passwords = options.passwords ?? new Passwords({ cost: cheapCost })
  const accounts = new Accounts({ state, passwords, clock })
  const sessions = new Sessions({ state, clock, lifetime })
  const tokens = new Tokens({ keys: () => state.data.keys, clock })
  const pauses: number[] = []
  const attempts = new Attempts({ clock, pause: async (milliseconds) => pauses.push(milliseconds) })
  const reports: unknown[] = []
  const report = (error: unknown) => reports.push(error)
  const signIn = new SignIn({ state, sessions, passwords, tokens, attempts, clock, events: new Events(report), report })
  return { clock, state, passwords, accounts, sessions, tokens, attempts, signIn, pauses, reports }
}
