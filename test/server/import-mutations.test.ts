// Databases that were changed anywhere: what of them is read was there, or they are refused with one sentence.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { permissionNames } from '../../src-server/contract/permissions.ts'
import { type ImportPlan, makePlan } from '../../src-server/import/plan.ts'
import { readSource, type Source } from '../../src-server/import/read-source.ts'
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
        if (number % byScale({ usual: 8, long: 4 }) === 0) await assertPlan(content, `change ${number}`)
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
const answers = { keepExecute: false, hasWholeNames: false, scopes: undefined, unusable: undefined }

/** What was refused in the plan is said, and what comes is no more than what was read. */
async function assertPlan(content: Source, what: string) {
  const plan = await makePlan(content, { facts, answers, now })
  const { users, links, stops } = plan
  for (const { id, perm } of users) {
    const before = content.users.find((user) => user.id === id)?.perm
    for (const name of permissionNames)
      assert.ok(!perm[name] || before?.[name] || before?.admin, `${what}: user ${id} may ${name}`)
  }
  for (const { userId } of links)
    assert.ok(content.users.find(({ id }) => id === userId)?.perm.share, `${what}: a link of user ${userId}`)
  if (stops.length === 0) assert.equal(stateError(stateWith(plan)), undefined, what)
  for (const sentence of stops) assert.match(sentence, /^[A-Z][^\n]*$/)
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
  return one.map((copy) => readSource(bytesIn(copy)))
}

/** Texts may differ, as nothing in a database says whether they are right: rights may not. */
function assertNoMore({ users, settings }: SourceContent, states: readonly SourceContent[], what: string) {
  for (const user of users) {
    const before = states.flatMap((state) => state.users.filter(({ id }) => id === user.id))
    const may = (name: (typeof permissionNames)[number]) => before.some(({ perm }) => perm[name])
    for (const name of permissionNames) assert.ok(may(name) || !user.perm[name], `${what}: user ${user.id} may ${name}`)
    const rules = before.some((one) => one.rules?.length === user.rules?.length)
    assert.ok(rules, `${what}: rules of user ${user.id}`)
    assert.ok(
      before.some(({ scope }) => user.scope.length >= scope.length),
      `${what}: scope of user ${user.id}`,
    )
  }
  const before = states.map((state) => state.settings)
  assert.ok(
    before.some((one) => one?.rules?.length === settings?.rules?.length),
    `${what}: rules`,
  )
  assert.ok(!settings?.signup || before.some((one) => one?.signup), `${what}: sign-up`)
}
