// People of a test: `ann`, who has signed up, and what her tokens say.
import type { TestContext } from 'node:test'
import { goodPassword, startPeople } from './start-state.ts'

/** What ann types. */
export const here = { username: 'ann', password: goodPassword, address: '192.0.2.1' }

type Options = Parameters<typeof startPeople>[1]

/** With one user, `ann`. */
export async function startAnn(t: TestContext, options: Options = {}) {
  const people = await startPeople(t, options)
  const ann = await people.accounts.create({ username: 'ann', password: goodPassword })
  return { ...people, ann }
}

/** The same state in a server that was started anew. */
export async function restart(t: TestContext, { state, clock }: Awaited<ReturnType<typeof startPeople>>) {
  await state.close()
  return startPeople(t, { file: state.file, clock })
}

/** What a token's middle part says. */
export function claims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
