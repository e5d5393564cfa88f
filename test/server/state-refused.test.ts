import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import type { Migrations } from '../../src-server/state/migrations.ts'
import { newState } from '../../src-server/state/new-state.ts'
import { readState } from '../../src-server/state/read-state.ts'
import { State } from '../../src-server/state/state.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { startState, temporaryFolder } from '../support/start-state.ts'

const onDisk = (state: State): StateData => JSON.parse(readFileSync(state.file, 'utf8'))

/** Everything in a folder: names, bytes and times, to check that nothing was changed. */
function snapshot(folder: string) {
  return readdirSync(folder).map((name) => {
    const { mtimeNs, ino } = statSync(join(folder, name), { bigint: true })
    return [name, readFileSync(join(folder, name)).toString('base64'), mtimeNs, ino]
  })
}

test('links in a cycle give a message', async (t) => {
  const folder = temporaryFolder(t)
  symlinkSync('b.json', join(folder, 'a.json'))
  symlinkSync('a.json', join(folder, 'b.json'))
  await assert.rejects(
    startState(t, { file: join(folder, 'a.json') }),
    isProblem(/a\.json cannot be used as the state file .*--database/),
  )
})

function isProblem(...patterns: RegExp[]) {
  return (error: Error) => {
    assert.ok(error instanceof StartupError, String(error))
    for (const pattern of patterns) assert.match(error.message, pattern)
    assert.ok(!error.message.includes('\n'), 'one line')
    return true
  }
}

/** A folder with a state that was started twice, so that it has a backup; closed. */
async function usedState(t: TestContext) {
  const clock = new StoppedClock()
  const first = await startState(t, { clock })
  await first.close()
  const second = await startState(t, { file: first.file, clock })
  await second.close()
  const folder = join(first.file, '..')
  const backup = readdirSync(folder).find((name) => name.includes('.backup-'))
  return { file: first.file, folder, backup: join(folder, backup ?? 'none') }
}

const whole = JSON.stringify(newState())
const without = (name: keyof StateData) => JSON.stringify({ ...newState(), [name]: undefined })
const badFiles: { name: string; text: string | Buffer; says: RegExp }[] = [
  { name: 'empty', text: '', says: /is empty/ },
  { name: 'cut off', text: whole.slice(0, -20), says: /is not JSON/ },
  {
    name: 'not UTF-8',
    text: Buffer.concat([Buffer.from(whole.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]),
    says: /is not JSON/,
  },
  { name: 'zeros, as a power cut leaves', text: Buffer.alloc(400), says: /is not JSON/ },
  { name: 'a list', text: '[]', says: /does not hold a JSON object/ },
  { name: 'null', text: 'null', says: /does not hold a JSON object/ },
  { name: 'of no schema', text: without('schema'), says: /does not name its schema/ },
  { name: 'of schema 0', text: JSON.stringify({ ...newState(), schema: 0 }), says: /does not name its schema/ },
  {
    name: 'of a newer schema',
    text: JSON.stringify({ ...newState(), schema: 2 }),
    says: /newer version \(schema 2, this one knows 1\)/,
  },
  {
    name: 'whose ids have come to their end',
    text: JSON.stringify({ ...newState(), lastUserId: Number.MAX_SAFE_INTEGER }),
    says: /not a whole state file: .*lastUserId/,
  },
  {
    name: 'with a key that signs nothing',
    text: JSON.stringify({ ...newState(), keys: [{ kid: 'a', secret: '!'.repeat(43) }] }),
    says: /not a whole state file: .*secret/,
  },
  { name: 'without users', text: without('users'), says: /not a whole state file: .*users/ },
  { name: 'without keys', text: JSON.stringify({ ...newState(), keys: [] }), says: /not a whole state file: "keys"/ },
  { name: 'without instance', text: without('instance'), says: /not a whole state file: .*instance/ },
  {
    name: 'with a broken user',
    text: JSON.stringify({ ...newState(), users: [{ id: 1, username: 'ann' }] }),
    says: /"users\.0"/,
  },
]

for (const { name, text, says } of badFiles) {
  test(`a state file that is ${name}: no start, the valid backup is named, nothing is changed`, async (t) => {
    const { file, folder, backup } = await usedState(t)
    writeFileSync(file, text)
    const before = snapshot(folder)
    await assert.rejects(startState(t, { file }), isProblem(says, new RegExp(`newest valid backup is ${backup}`), /--database/))
    assert.deepEqual(snapshot(folder), before)
  })
}

test('a bad state file without any backup: no start, and nothing is made beside it', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'holdall.json'), '{')
  const before = snapshot(folder)
  await assert.rejects(startState(t, { file: join(folder, 'holdall.json') }), isProblem(/is not JSON: no backup of it is valid/))
  assert.deepEqual(snapshot(folder), before)
})

test('an invalid newest backup is skipped', async (t) => {
  const { file, folder, backup } = await usedState(t)
  writeFileSync(file, '{')
  writeFileSync(`${file}.backup-29991231T235959.999Z`, '{')
  const before = snapshot(folder)
  await assert.rejects(startState(t, { file }), isProblem(new RegExp(`newest valid backup is ${backup};`)))
  assert.deepEqual(snapshot(folder), before)
})

test('a missing state file with existing backups: no start, nothing is created', async (t) => {
  const { file, folder, backup } = await usedState(t)
  unlinkSync(file)
  const before = snapshot(folder)
  await assert.rejects(
    startState(t, { file }),
    isProblem(/is missing, but its backups are here/, new RegExp(`newest valid backup is ${backup}`)),
  )
  assert.deepEqual(snapshot(folder), before)
})

test('a start succeeds after the named backup is copied to the path of the state', async (t) => {
  const { file, backup } = await usedState(t)
  writeFileSync(file, readFileSync(backup))
  await startState(t, { file })
})

test('a missing folder is not created', async (t) => {
  const folder = temporaryFolder(t)
  await assert.rejects(startState(t, { file: join(folder, 'none/holdall.json') }), isProblem(/none.*--database/))
  assert.deepEqual(readdirSync(folder), [])
})

test('a folder that cannot be written gives a message that names the option', async (t) => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o555)
  // Root may write everywhere: the effective user is changed for the synchronous part of the call, in which it fails.
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  let opening: Promise<State>
  try {
    opening = State.open({ file: join(folder, 'holdall.json'), clock: new StoppedClock() })
    opening.catch(() => {})
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
  await assert.rejects(opening, isProblem(new RegExp(`^${folder} cannot be written: .*--database`)))
})

const testMigrations: Migrations = {
  current: 3,
  steps: [
    ({ settings, ...rest }) => ({ ...rest, settings: { ...(settings as object), signup: true } }),
    (state) => ({ ...state, instance: 'abcdef01' }),
  ],
}

test('an older file is brought to the current schema step by step, after a backup', async (t) => {
  const { file, folder, backup } = await usedState(t)
  writeFileSync(file, JSON.stringify({ ...newState(), lastUserId: 5 }))
  const old = readFileSync(file, 'utf8')
  const clock = new StoppedClock()
  clock.advance({ hours: 2 })
  const state = await State.open({ file, clock, read: (name) => readState(name, testMigrations) })
  t.after(() => state.close())
  assert.deepEqual([state.data.schema, state.data.settings.signup, state.data.instance], [3, true, 'abcdef01'])
  assert.deepEqual(onDisk(state), state.data)
  const backups = readdirSync(folder).filter((name) => name.includes('.backup-') && !backup.endsWith(name))
  assert.deepEqual(
    backups.map((name) => readFileSync(join(folder, name), 'utf8')),
    [old],
  )
})

test('an older file that its migration cannot read: no start, nothing is touched', async (t) => {
  const { file, folder } = await usedState(t)
  writeFileSync(file, JSON.stringify({ schema: 1 }))
  const before = snapshot(folder)
  const read = (name: string) =>
    readState(name, {
      current: 2,
      steps: [
        () => {
          throw new TypeError('no settings')
        },
      ],
    })
  await assert.rejects(State.open({ file, clock: new StoppedClock(), read }), isProblem(/not a whole state file/))
  assert.deepEqual(snapshot(folder), before)
})
