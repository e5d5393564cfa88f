import { noPermissions } from '../../src-server/access/permissions.ts'
import type { Permission } from '../../src-server/contract/permissions.ts'
import { administratorPassword } from './start-executable.ts'

/** Adds a user with the password of the administrator, as the administrator does in the form. */
export async function addUser(
  url: string,
  { username, may, lockPassword = false }: { username: string; may: readonly Permission[]; lockPassword?: boolean },
): Promise<void> {
  const credentials = JSON.stringify({ username: 'admin', password: administratorPassword })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body: credentials })).text()
  const perm = { ...noPermissions, ...Object.fromEntries(may.map((permission) => [permission, true])) }
  const data = { username, password: administratorPassword, scope: '/', perm, lockPassword }
  const answer = await fetch(`${url}/api/users`, {
    method: 'POST',
    headers: { 'X-Auth': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ what: 'user', which: [], data, current_password: administratorPassword }),
  })
  if (!answer.ok) throw new Error(`the user was not added: ${answer.status} ${await answer.text()}`)
}
