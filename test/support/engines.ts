// The engines that keep the state, and records for them.
import type { TestContext } from 'node:test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { newState } from '../../src-server/state/new-state.ts'
import { Records } from '../../src-server/state/records.ts'
import type { StoredLink, StoredRequest, StoredSession } from '../../src-server/state/state-data.ts'
import { StoppedClock } from './clock.ts'
import { startState } from './start-state.ts'

const silent = { warn: () => {}, error: () => {} }

export const engines: Record<string, (t: TestContext) => Promise<Records>> = {
  'the JSON file': (t) => startState(t),
  'the memory': async () => new Records({ data: newState(), clock: new StoppedClock(), log: silent, keep: async () => {} }),
}

export const now = 1_000_000
export const user = (username: string, perm = noPermissions) => ({
  ...{ user: { username, perm, scope: `/${username}` }, passwordHash: 'hash', isOwnHome: false, now },
})
export const session = (id: string, userId: number, createdAt = now): StoredSession => ({
  id,
  userId,
  createdAt,
  usedAt: createdAt,
})
export const link = (hash: string, userId: number, given: Partial<StoredLink> = {}): StoredLink => ({
  ...{ hash, userId, path: `/${hash}`, isDir: false, identity: '', expire: 0, createdAt: now },
  ...given,
})

export const request = (hash: string, userId: number, given: Partial<StoredRequest> = {}): StoredRequest => ({
  ...{ hash, userId, path: `/${hash}`, isDir: true, identity: '', expire: 0, createdAt: now, title: 'Photos' },
  ...{ mostBytes: 1e9, mostFileBytes: 1e6, mostFiles: 100, filesAnHour: 100, asksName: false, hasFolders: true },
  ...{ tells: false, seen: 0, ...given },
})

export const failsWith = (code: string) => (error: unknown) => error instanceof Failure && error.code === code
