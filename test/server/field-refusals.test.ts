// Every refusal of a field says which one, with a code and parameters, beside the sentence that scripts read. The fields are those of
// the records and of the contract.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TSchema } from 'typebox'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { Endpoint } from '../../src-server/contract/endpoint.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { SettingsRecord, UserDefaults, UserRecord } from '../../src-server/contract/records.ts'
import type { Refusal } from '../../src-server/contract/refusals.ts'
import { startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const app = await startApp({ after }, { files: { 'a.srt': 'a' }, users: { root: { perm: allPermissions } } })
const root = await app.as('root')
const id = userIn(app.parts.state, 'root')?.id

const wrongs: readonly unknown[] = [
  '\0',
  '/\0',
  '/..',
  '(?',
  'x\u0301/..',
  'y'.repeat(10_000),
  '',
  -1,
  1.5,
  true,
  null,
  {},
  [],
  [1],
  [{}],
]

type Problem = Readonly<{ status: number; detail?: string; refusal?: Refusal }>

async function refusalOf(name: string, body?: unknown): Promise<Problem> {
  const [method = '', address = ''] = name.split(' ')
  const headers = { Accept: 'application/problem+json' }
  const answer = await root.ask(method, address, { headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  return answer.status < 400 ? { status: answer.status } : (JSON.parse(text) as Problem)
}

/** @param field or a field in it */
function assertNamed({ detail = '', refusal }: Problem, field: string) {
  assert.ok(refusal, `no code for "${detail}"`)
  assert.deepEqual(Object.keys(refusal).toSorted(), ['code', 'field', 'params'], detail)
  assert.ok(`${refusal.field}.`.startsWith(`${field}.`), `${refusal.field} instead of ${field}: ${detail}`)
}

/** Sends each wrong value of a field. @returns how many were refused */
async function tryField(field: string, send: (wrong: unknown) => Promise<Problem>): Promise<number> {
  const answers: Problem[] = []
  for (const wrong of wrongs) answers.push(await send(wrong))
  const refused = answers.filter(({ status }) => status === 400)
  for (const problem of refused) assertNamed(problem, field)
  return refused.length
}

const { id: _, changedAt: __, accessEpoch: ___, formerNames: ____, ...userFields } = UserRecord.properties

for (const name of Object.keys(userFields)) {
  test(`what refuses ${name} of a user names it, with code and parameters`, async () => {
    const change = (wrong: unknown) =>
      refusalOf(`PUT /api/users/${id}`, { what: 'user', which: [name], data: { id, [name]: wrong } })
    assert.ok((await tryField(name, change)) > 0)
    const create = (wrong: unknown) =>
      refusalOf('POST /api/users', { what: 'user', data: { username: 'new', password: 'a long password', [name]: wrong } })
    assert.ok((await tryField(name, create)) > 0)
  })
}

/** `branding.color`, and those that are objects themselves. */
function fieldsOf(schema: TSchema, place = ''): string[] {
  const { properties = {} } = schema as { properties?: Record<string, TSchema> }
  return Object.entries(properties).flatMap(([name, field]) => [`${place}${name}`, ...fieldsOf(field, `${place}${name}.`)])
}

/** Their parts are no fields of a form. */
const wholes = Object.keys(UserDefaults.properties).map((name) => `defaults.${name}.`)
const settings = fieldsOf(SettingsRecord).filter((field) => !wholes.some((whole) => field.startsWith(whole)))

for (const field of settings) {
  test(`what refuses the setting ${field} names it, with code and parameters`, async () => {
    const within = (wrong: unknown) =>
      field.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), wrong) as Record<string, unknown>
    assert.ok((await tryField(field, (wrong) => refusalOf('PUT /api/settings', within(wrong)))) > 0)
  })
}

test('a name that no field has is in the refusal too', async () => {
  assertNamed(await refusalOf('PUT /api/settings', { branding: { colour: '' } }), 'branding.colour')
  assertNamed(await refusalOf('POST /api/users', { what: 'user', data: { userName: 'x' } }), 'userName')
  assertNamed(await refusalOf('PATCH /api/share/x', { nots: 'x' }), 'nots')
})

/** Calls that are sockets have no fields, and those that change who may do what are tried above or would end the session. */
const skipped = ['POST /api/logout', 'DELETE /api/sessions', 'DELETE /api/users/:id']
const calls = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).filter(
  ([name, { socket, query, body }]) => !socket && !skipped.includes(name) && (query ?? body),
)

for (const [name, { query, body }] of calls) {
  test(`what ${name} refuses as invalid names a field of the call`, async () => {
    const values = { id: String(id), hash: 'x', size: 'thumb', session: 'x', '*': /counts|raw/.test(name) ? '' : 'a.srt' }
    const address = name.replace(/:(\w+)|\*/g, (part, key) => values[(key ?? part) as keyof typeof values])
    const known = [body, query].flatMap((schema) =>
      Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
    )
    const check = (problem: Problem) => {
      if (problem.status !== 400) return
      assertNamed(problem, problem.refusal?.field ?? '')
      const [first = ''] = problem.refusal?.field?.split('.') ?? []
      const fields = known.length > 0 ? known : [...Object.keys(SettingsRecord.properties), 'path', 'username', 'own', 'global']
      // Of an upload a header is needed.
      assert.ok([...fields, 'username', 'password', 'Upload-Length'].includes(first), `${first}: ${problem.detail}`)
    }
    for (const field of known) {
      for (const wrong of wrongs) {
        if (body) check(await refusalOf(address, { [field]: wrong }))
        if (query) check(await refusalOf(`${address}?${new URLSearchParams({ [field]: String(wrong) })}`))
      }
    }
    check(await refusalOf(address, body && {}))
  })
}
