// What a scope of File Browser is below the root that is served from now on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlan } from '../../src-server/import/plan.ts'
import { readSource } from '../../src-server/import/read-source.ts'
import { bytesIn } from '../../src-server/import/source-file.ts'
import { databaseOf, type StoredRecords, storedAdmin, storedServer, storedSettings, storedUser } from '../support/file-browser.ts'
import { memoryFacts } from '../support/memory-facts.ts'

type Planned = Readonly<{ paths?: readonly string[]; root?: string; scopes?: 'root' | 'host' | undefined }>

async function planOf(records: StoredRecords, { paths = [], root, scopes }: Planned) {
  const plan = await makePlan(readSource(bytesIn(databaseOf(records))), {
    facts: memoryFacts(paths, root),
    answers: { keepExecute: false, hasWholeNames: false, unusable: undefined, scopes },
    now: 1_795_900_000,
  })
  const about = (part: string) => plan.notes.filter((note) => note.about === part).map(({ text }) => text)
  return { ...plan, about, scope: plan.users.find(({ id }) => id === 2)?.scope }
}

const planOfUser = (scope: string, planned: Planned) =>
  planOf({ users: [storedAdmin({ scope: '.' }), storedUser({ scope })] }, planned)

test('an absolute scope that is a folder below the root is that folder, unless scopes are said to count from the host', async () => {
  const plan = (scopes?: 'root' | 'host') => planOfUser('/srv/bob', { paths: ['/srv/bob/', '/bob/'], scopes })
  for (const scopes of [undefined, 'root'] as const) {
    const { scope, stops } = await plan(scopes)
    assert.deepEqual([scope, stops], ['/srv/bob', []])
  }
  assert.deepEqual([(await plan('host')).scope, (await plan('host')).stops], ['/bob', []])
})

for (const [what, root] of [
  ['the root', '/srv'],
  ['the root that File Browser had', '/data/files'],
] as const)
  test(`an absolute scope that is a folder only from the host, in ${what}, is asked about`, async () => {
    const plan = (scopes?: 'root' | 'host') => planOfUser('/srv/bob', { paths: ['/bob/'], root, scopes })
    const asked = await plan()
    assert.match(
      asked.stops.join(),
      /^The scope "\/srv\/bob" of user "bob" is no folder below the root, but counted from the host it is "\/bob" there: add --scopes host/,
    )
    assert.deepEqual([(await plan('host')).scope, (await plan('host')).stops], ['/bob', []])
    assert.deepEqual([(await plan('root')).scope, (await plan('root')).stops], ['/srv/bob', []])
  })

for (const scope of ['/docs', '/opt/nowhere', '/', '/srv/..', '/srvX'])
  test(`who had the scope ${scope} of the host, outside the root, does not come, whatever the root has`, async () => {
    const { users, about, stops } = await planOfUser(scope, { paths: ['/docs/', '/srvX/'], scopes: 'host' })
    assert.deepEqual([users.map(({ username }) => username), stops], [['admin'], []])
    assert.match(about('user "bob"').join(), /has the scope ".*", which is a path of the host outside the root: links and rules/)
  })

test('a folder of the host in the root that is not there is waited for in its place', async () => {
  const { scope, about } = await planOfUser('/srv/files/bob', { root: '/data', scopes: 'host' })
  assert.equal(scope, '/files/bob')
  assert.match(about('user "bob"').join(), /becomes "\/files\/bob" below the root,?.*the folder of the scope.*is not there/)
})

test('from a root that is that of the host, scopes are what they were', async () => {
  const server = storedServer({ root: '/' })
  const users = [storedAdmin(), storedUser({ scope: '/home/bob' })]
  const { users: planned, stops } = await planOf({ users, server }, { root: '/', paths: ['/home/bob/'], scopes: 'host' })
  assert.deepEqual([planned.map(({ scope }) => scope), stops], [['/', '/home/bob'], []])
})

test('new users are given no scope outside the root', async () => {
  const settings = storedSettings()
  const defaults = { ...settings.defaults, scope: '/opt' }
  const { stops } = await planOf(
    { users: [storedAdmin({ scope: '.' })], settings: { ...settings, defaults } },
    { scopes: 'host' },
  )
  assert.deepEqual(stops, [
    'The scope "/opt" of new users is a path of the host outside the root: give them another one in File Browser',
  ])
})
