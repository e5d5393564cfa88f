import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { newState } from '../../src-server/state/new-state.ts'
import type { State } from '../../src-server/state/state.ts'
import type { StateData, StateDraft } from '../../src-server/state/state-data.ts'
import { textOf } from '../../src-server/state/state-text.ts'
import { rename, startState, temporaryFolder } from '../support/start-state.ts'

const onDisk = (state: State): StateData => JSON.parse(readFileSync(state.file, 'utf8'))

test('a first start creates a new state, for the owner alone', async (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const [one, other] = [await startState(t), await startState(t)]
  assert.equal(statSync(one.file).mode & 0o777, 0o600)
  assert.deepEqual(onDisk(one), one.data)
  assert.equal(one.data.schema, 1)
  assert.match(one.data.instance, /^[0-9a-f]{8}$/)
  assert.equal(Buffer.from(one.data.keys[0]?.secret ?? '', 'base64url').length, 32)
  assert.notEqual(one.data.instance, other.data.instance)
  assert.notDeepEqual(one.data.keys, other.data.keys)
})

test('a change is on disk when it resolves, and after a restart', async (t) => {
  const state = await startState(t)
  const answer = await state.change('other', (draft) => {
    rename('Ünïcode 😀')(draft)
    return 7
  })
  assert.equal(answer, 7)
  assert.equal(onDisk(state).settings.branding.name, 'Ünïcode 😀')
  assert.equal(statSync(state.file).mode & 0o777, 0o600)
  await state.close()
  const again = await startState(t, { file: state.file })
  assert.deepEqual(again.data, state.data)
})

test('changes that are requested together share a write, in their order, and each is durable when it resolves', async (t) => {
  let renames = 0
  const counting: DiskSystem = {
    ...diskSystem,
    rename: (from, to) => {
      renames += 1
      return diskSystem.rename(from, to)
    },
  }
  const state = await startState(t, { system: counting })
  renames = 0
  const changes = Array.from({ length: 100 }, (_, index) =>
    state
      .change('session', (draft) => {
        rename(`${draft.settings.branding.name}${index},`)(draft)
      })
      .then(() => assert.ok(onDisk(state).settings.branding.name.includes(`${index},`))),
  )
  await Promise.all(changes)
  assert.equal(state.data.settings.branding.name, Array.from({ length: 100 }, (_, index) => `${index},`).join(''))
  assert.ok(renames <= 2, `${renames} writes for 100 changes`)
})

test('an edit that throws half-way changes nothing and does not affect the others', async (t) => {
  const state = await startState(t)
  const good = state.change('session', rename('good'))
  const bad = state.change('session', (draft) => {
    rename('half')(draft)
    draft.users = []
    throw new Failure('conflict', 'no')
  })
  const after = state.change('session', (draft) => {
    rename(`${draft.settings.branding.name} and after`)(draft)
  })
  await assert.rejects(bad, { code: 'conflict' })
  await Promise.all([good, after])
  assert.equal(state.data.settings.branding.name, 'good and after')
  assert.deepEqual(onDisk(state), state.data)
})

test('the data cannot be changed outside a change, and what was read stays the same', async (t) => {
  const state = await startState(t)
  await state.change('other', rename('one'))
  const read = state.data
  assert.throws(() => rename('two')(read as StateDraft), TypeError)
  await state.change('other', rename('two'))
  assert.equal(read.settings.branding.name, 'one')
})

test('a change shares unchanged records, and reading copies nothing', async (t) => {
  const state = await startState(t)
  const session = (id: string) => ({ id, userId: 1, createdAt: 1, usedAt: 1 })
  await state.change('session', (draft) => {
    draft.sessions = [session('one'), session('two')]
  })
  const before = state.data
  await state.change('session', (draft) => {
    draft.sessions = [...draft.sessions, session('three')]
  })
  assert.equal(state.data, state.data)
  for (const name of ['keys', 'settings', 'users'] as const) assert.equal(state.data[name], before[name])
  assert.deepEqual(
    state.data.sessions.map((record) => before.sessions.indexOf(record)),
    [0, 1, -1],
  )
})

test('a change serialises some records, never all', () => {
  let made = 0
  const newRecord = (id: number): { id: number; toJSON(): unknown } => {
    const toJSON = () => {
      made += 1
      return { id }
    }
    return { id, toJSON }
  }
  const state = newState()
  const ids = Array.from({ length: 10_000 }, (_, index) => index)
  let records = ids.map(newRecord)
  const madeFor = (change: (all: typeof records) => typeof records) => {
    records = change(records)
    made = 0
    const text = textOf({ ...state, sessions: records } as unknown as StateData)
    const count = made
    assert.deepEqual(JSON.parse(text), { ...state, sessions: records.map(({ id }) => ({ id })) })
    return count
  }
  assert.equal(
    madeFor((all) => all),
    10_000,
  )
  assert.equal(
    madeFor((all) => [...all]),
    0,
  )
  for (let id = 10_000; id < 10_200; id += 1) assert.ok(madeFor((all) => [...all, newRecord(id)]) <= 64, 'one more')
  const cases: Record<string, (all: typeof records) => typeof records> = {
    'the first leaves': (all) => all.slice(1),
    'one in the middle leaves': (all) => all.filter(({ id }) => id !== 5000),
    'one is replaced': (all) => all.map((record) => (record.id === 7001 ? newRecord(7001) : record)),
    'the last leaves': (all) => all.slice(0, -1),
    'a hundred in a row leave': (all) => all.filter(({ id }) => id < 1000 || id >= 1100),
  }
  for (const [name, change] of Object.entries(cases)) assert.ok(madeFor(change) <= 128, name)
  assert.equal(
    madeFor(() => []),
    0,
  )
})

test('the file has one line for each record', () => {
  const session = { id: 'one', userId: 1, createdAt: 1, usedAt: 1 }
  const text = textOf({ ...newState(), keys: [], sessions: [session, { ...session, id: 'two' }] })
  assert.deepEqual(text.split('\n').slice(-9), [
    '  "users": [],',
    '  "sessions": [',
    '    {"id":"one","userId":1,"createdAt":1,"usedAt":1},',
    '    {"id":"two","userId":1,"createdAt":1,"usedAt":1}',
    '  ],',
    '  "links": [],',
    '  "requests": []',
    '}',
    '',
  ])
})

test('a change that changes nothing writes nothing', async (t) => {
  const state = await startState(t)
  const before = statSync(state.file).ino
  await state.change('other', () => {})
  assert.equal(statSync(state.file).ino, before)
})

test('changes requested before closing are written, later ones are refused', async (t) => {
  const state = await startState(t)
  const last = state.change('other', rename('last'))
  await state.close()
  await last
  assert.equal(onDisk(state).settings.branding.name, 'last')
  await assert.rejects(state.change('other', rename('too late')), { code: 'internal' })
  assert.equal(onDisk(state).settings.branding.name, 'last')
})

test('partial writes of the system are completed', async (t) => {
  const writingPartially: DiskSystem = { ...diskSystem, write: (fd, bytes) => diskSystem.write(fd, bytes.subarray(0, 10)) }
  const state = await startState(t, { system: writingPartially })
  await state.change('other', rename('in parts'))
  assert.deepEqual(onDisk(state), state.data)
})

test('a state file that is a link stays a link, and its target is replaced', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'real'))
  mkdirSync(join(folder, 'named'))
  symlinkSync('../real/state.json', join(folder, 'named/holdall.json'))
  const state = await startState(t, { file: join(folder, 'named/holdall.json') })
  await state.change('other', rename('behind a link'))
  assert.equal(state.file, join(folder, 'real/state.json'))
  assert.ok(lstatSync(join(folder, 'named/holdall.json')).isSymbolicLink())
  assert.deepEqual(readdirSync(join(folder, 'named')), ['holdall.json'])
  assert.deepEqual(onDisk(state), state.data)
})

test('a state file that others may read is restricted to the owner at the start', async (t) => {
  const state = await startState(t)
  await state.close()
  chmodSync(state.file, 0o644)
  await startState(t, { file: state.file })
  assert.equal(statSync(state.file).mode & 0o777, 0o600)
})

test('temporary files of interrupted writes are removed, and nothing else', async (t) => {
  const state = await startState(t)
  await state.close()
  const folder = join(state.file, '..')
  writeFileSync(`${state.file}.tmp-${'ab'.repeat(16)}`, 'cut off')
  writeFileSync(`${state.file}.tmp-mine`, 'somebody else')
  writeFileSync(join(folder, `other.json.tmp-${'ab'.repeat(16)}`), 'another state')
  await startState(t, { file: state.file })
  const names = readdirSync(folder).filter((name) => name.includes('.tmp-'))
  assert.deepEqual(names, ['holdall.json.tmp-mine', `other.json.tmp-${'ab'.repeat(16)}`])
})
