import { readFile, writeFile } from 'node:fs/promises'
import { noPermissions } from '../../src-server/access/permissions.ts'
import type { Permission } from '../../src-server/contract/permissions.ts'
import type { StateDraft } from '../../src-server/state/state-data.ts'
import { stateFile } from './start-executable.ts'

/** Adds a user with the password of the administrator to the state of a server that has stopped. No page does that yet. */
export async function addUser(
  folder: string,
  { username, may, lockPassword = false }: { username: string; may: readonly Permission[]; lockPassword?: boolean },
): Promise<void> {
  const state = JSON.parse(await readFile(stateFile(folder), 'utf8')) as StateDraft
  const [administrator] = state.users
  if (!administrator) throw new Error('the state has no administrator')
  const perm = { ...noPermissions, ...Object.fromEntries(may.map((permission) => [permission, true])) }
  state.lastUserId += 1
  state.users = [...state.users, { ...administrator, id: state.lastUserId, username, perm, lockPassword }]
  await writeFile(stateFile(folder), JSON.stringify(state))
}
