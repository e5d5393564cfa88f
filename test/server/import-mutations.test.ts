// Databases that were changed anywhere: what of them is read was there, or they are refused with one sentence.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { permissionNames } from '../../src-server/contract/permissions.ts'
import { type ImportPlan, makePlan } from '../../src-server/import/plan.ts'
import { readSource, type Source } from '../../src-server/import/read-source.ts'
import { cleanedPath } from '../../src-server/import/root-facts.ts'
import { bytesIn, type SourceBytes, SourceFault } from '../../src-server/import/source-file.ts'
import type { SourceContent } from '../../src-server/import/source-records.ts'
import { importCommands } from '../../src-server/state/import-commands.ts'
import { newState } from '../../src-server/state/new-state.ts'
import { stateError } from '../../src-server/state/state-schema.ts'
import { databaseOf, storedAdmin, storedUser } from '../support/file-browser.ts'
import { memoryFacts } from '../support/memory-facts.ts'
import { mutated } from '../support/mutate-database.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/filebrowser', name))

const rules = [{ regex: false, allow: false, path: '/private', regexp: null }]
const people = Array.from({ length: 12 }, (_, index) =>
  storedUser({ id: index + 2, username: `person ${index}`, scope: `/p${index}`, rules }),
)
const deleted = [['gone', 'x'.repeat(300)]] as const

const databases = [
  { name: '2.63', usual: 400, pageSize: 4096, file: fixture('filebrowser-2.63.db') },
  { name: '2.7.0', usual: 1200, pageSize: 4096, file: fixture('sample-small-v2.7.0.db') },
  {
    name: 'of small pages with levels and overflow',
    usual: 400,
    pageSize: 1024,
    file: databaseOf({ users: [storedAdmin(), ...people] }, { pageSize: 1024, deleted, isInline: false }),
  },
]

/** Far more than reading one takes: what is read again and again would take more. */
const mostRead = 4 << 20

for (const [index, { name, pageSize, file, usual }] of databases.entries())
  test(`a changed database ${name} is read and planned as it was, or refused (seed ${seed})`, async () => {
    const random = new SeededRandom(seed + index)
    const states = statesOf(file, pageSize)
    let refused = 0
    const count = byScale({ usual, long: usual * 10 })
    for (let number = 0; number < count; number++) {
      const copy = mutated(file, pageSize, random)
      const content = readOrRefuse(copy)
      if (content === undefined) refused += 1
      else {
        assertNoMore(content, states, `change ${number}`)
        if (number % byScale({ usual: 8, long: 4 }) === 0)
          await assertPlan(content, { what: `change ${number}`, hasWholeNames: number % 16 === 0 })
      }
    }
    assert.ok(refused > count / 4 && refused < count, `${refused} of ${count} were refused`)
  })

function readOrRefuse(file: Buffer): Source | undefined {
  let sum = 0
  const bytes = bytesIn(file)
  const counted: SourceBytes = {
    size: bytes.size,
    read: (at, length) => {
      sum += length
      assert.ok(sum < mostRead, 'it is read again and again')
      return bytes.read(at, length)
    },
  }
  try {
    return readSource(counted)
  } catch (error) {
    if (error instanceof SourceFault && /^[^\n]{1,300}$/.test(error.message)) return undefined
    throw error
  }
}

const facts = memoryFacts(['/bob/docs/plan.txt', '/public/', '/a.txt', '/carol/note.md'])
const now = 1_795_900_000
const answers = { keepExecute: false, scopes: undefined, unusable: undefined }

/** What was refused in the plan is said, and what comes is no more than what was read. */
async function assertPlan(content: Source, { what, hasWholeNames }: { what: string; hasWholeNames: boolean }) {
  const plan = await makePlan(content, { facts, answers: { ...answers, hasWholeNames }, now })
  const { users, links, stops, settings } = plan
  for (const { id, perm, scope, rules } of users) {
    const source = content.users.find((user) => user.id === id)
    const before = source?.perm
    for (const name of permissionNames)
      assert.ok(!perm[name] || before?.[name] || before?.admin, `${what}: user ${id} may ${name}`)
    assert.equal(scope, cleanedPath(source?.scope ?? ''), `${what}: scope of user ${id}`)
    if (stops.length === 0) assertNoneOpened(rules, source?.rules, `${what}: rules of user ${id}`)
  }
  if (settings && stops.length === 0) assertNoneOpened(settings.rules, content.settings?.rules, `${what}: rules`)
  for (const { userId } of links)
    assert.ok(content.users.find(({ id }) => id === userId)?.perm.share, `${what}: a link of user ${userId}`)
  if (stops.length === 0) assert.equal(stateError(stateWith(plan)), undefined, what)
  for (const sentence of stops) assert.match(sentence, /^[A-Z][^\n]*$/)
}

/** Every rule that denied something denies, and no other one allows than did. One whose path begins with no slash matched nothing. */
function assertNoneOpened(rules: readonly { allow: boolean }[], before: SourceRules, what: string) {
  const that = (allow: boolean) =>
    (before ?? []).filter((rule) => rule.allow === allow && (rule.regex || /^(\/|$)/.test(rule.path))).length
  const planned = (allow: boolean) => rules.filter((rule) => rule.allow === allow).length
  assert.ok(planned(false) >= that(false) && planned(true) <= that(true), what)
}

/** A new state with all that a plan brings, which the next start has to read. */
function stateWith({ users, links, settings, lastUserId, source }: ImportPlan) {
  const draft = { ...newState() }
  importCommands.importRecords(draft, {
    users: users.map(({ idThere: _, ...user }) => ({ ...user, changedAt: now })),
    links: links.map((link) => ({ ...link, createdAt: now })),
    ...(settings && { settings }),
    ...{ lastUserId, replaces: false, from: { source, at: now, root: '/srv', rootIdentity: '', users: [] } },
  })
  return draft
}

/** The last state, and the one before it, whose meta page is still there. */
function statesOf(file: Buffer, pageSize: number): SourceContent[] {
  const one = [0, 1].map((number) => Buffer.from(file).fill(0, number * pageSize, (number + 1) * pageSize))
  return one.map((copy) => {
    const content = readSource(bytesIn(copy))
    assertAsWritten(content, copy)
    return content
  })
}

/** The whole databases hold what is read of them, letter by letter: what is compared with them is not a fault of the reader in both. */
function assertAsWritten({ users, settings }: SourceContent, file: Buffer) {
  for (const { rules, scope, perm } of [...users, ...(settings ? [{ ...settings.defaults, rules: settings.rules }] : [])])
    for (const [name, value] of Object.entries({ rules, scope, perm }))
      assert.ok(file.includes(`"${name}":${JSON.stringify(value)}`), `${name}: ${JSON.stringify(value)}`)
}

/** Texts may differ, as nothing in a database says whether they are right: rights may not. */
function assertNoMore({ users, settings }: SourceContent, states: readonly SourceContent[], what: string) {
  for (const user of users) {
    const before = states.flatMap((state) => state.users.filter(({ id }) => id === user.id))
    const may = (name: (typeof permissionNames)[number]) => before.some(({ perm }) => perm[name])
    for (const name of permissionNames) assert.ok(may(name) || !user.perm[name], `${what}: user ${user.id} may ${name}`)
    assert.ok(
      before.some((one) => areRules(user.rules, one.rules)),
      `${what}: rules of user ${user.id}`,
    )
    assert.ok(
      before.some(({ scope }) => isText(user.scope, scope)),
      `${what}: scope of user ${user.id}`,
    )
  }
  const before = states.map((state) => state.settings)
  assert.ok(
    before.some((one) => areRules(settings?.rules, one?.rules)),
    `${what}: rules`,
  )
  assert.ok(!settings?.signup || before.some((one) => one?.signup), `${what}: sign-up`)
}

type SourceRules = SourceContent['users'][number]['rules'] | undefined

/** The same rules in their order: what each denies or allows, and by which path or expression, as far as nobody has changed its text. */
function areRules(rules: SourceRules, before: SourceRules): boolean {
  const [found = [], wanted = []] = [rules ?? [], before ?? []]
  return (
    found.length === wanted.length &&
    wanted.every(({ allow, regex, path, regexp }, index) => {
      const one = found[index]
      const isSame = one?.allow === allow && one.regex === regex && isText(one.path, path)
      // Without an expression a rule stops the plan, or allows nothing.
      return isSame && (one.regexp === undefined || isText(one.regexp?.raw ?? '', regexp?.raw ?? ''))
    })
  )
}

/** A copy has at most three changes, and a changed character can take the next one with it, as a backslash does. */
const mostChanged = 4

/** Whether one text is the other, with no more characters changed, gone or added than that, and half of it at most. */
function isText(text: string, before: string): boolean {
  let row = Array.from({ length: before.length + 1 }, (_, index) => index)
  for (const [index, character] of [...text].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...before].entries())
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (character === other ? 0 : 1)))
    row = next
  }
  return (row.at(-1) ?? 0) <= Math.min(mostChanged, Math.ceil(before.length / 2))
}
