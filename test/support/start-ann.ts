// The services with one user, `ann`, and the claims of her tokens.
import type { TestContext } from 'node:test'
import { goodPassword, startPeople } from './start-state.ts'

/** The credentials of ann. */
export const here = { username: 'ann', password: goodPassword, address: '192.0.2.1' }

type Options = Parameters<typeof startPeople>[1]

/** Starts the services with one user, `ann`. */
export async function startAnn(t: TestContext, options: Options = {}) {
  const people = await startPeople(t, options)
  const ann = await people.accounts.create({ username: 'ann', password: goodPassword })
  return { ...people, ann }
}

/** Restarts the services with the same state. */
export async function restart(t: TestContext, { state, clock }: Awaited<ReturnType<typeof startPeople>>) {
  await state.close()
  return startPeople(t, { file: state.file, clock })
}

/** The claims of a token. */
export function claims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
