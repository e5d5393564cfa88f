import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Failure, type FailureCode } from '../../src-server/base/failure.ts'
import { StartupProblem } from '../../src-server/base/startup-problem.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import type { Migrations } from '../../src-server/state/migrations.ts'
import { newState } from '../../src-server/state/new-state.ts'
import { readState } from '../../src-server/state/read-state.ts'
import { State } from '../../src-server/state/state.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { startState, temporaryFolder } from '../support/start-state.ts'

const rename = (name: string) => (draft: StateData) => {
  draft.settings.branding.name = name
}
const onDisk = (state: State): StateData => JSON.parse(readFileSync(state.file, 'utf8'))

/** Everything in a folder: names, bytes and times, to show that nothing was touched. */
function snapshot(folder: string) {
  return readdirSync(folder).map((name) => {
    const { mtimeNs, ino } = statSync(join(folder, name), { bigint: true })
    return [name, readFileSync(join(folder, name)).toString('base64'), mtimeNs, ino]
  })
}

test('a first start makes a whole state of its own, for the owner alone', async (t) => {
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

test('a change is on disk when it resolves, and there after a restart', async (t) => {
  const state = await startState(t)
  const answer = await state.change('other', (draft) => {
    draft.settings.branding.name = 'Ünïcode 😀'
    return 7
  })
  assert.equal(answer, 7)
  assert.equal(onDisk(state).settings.branding.name, 'Ünïcode 😀')
  assert.equal(statSync(state.file).mode & 0o777, 0o600)
  await state.close()
  const again = await startState(t, { file: state.file })
  assert.deepEqual(again.data, state.data)
})

test('changes that are asked for together share a write, in their order, and each is durable when it resolves', async (t) => {
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
        draft.settings.branding.name += `${index},`
      })
      .then(() => assert.ok(onDisk(state).settings.branding.name.includes(`${index},`))),
  )
  await Promise.all(changes)
  assert.equal(state.data.settings.branding.name, Array.from({ length: 100 }, (_, index) => `${index},`).join(''))
  assert.ok(renames <= 2, `${renames} writes for 100 changes`)
})

test('an edit that throws half-way changes nothing and does not hurt those beside it', async (t) => {
  const state = await startState(t)
  const good = state.change('session', rename('good'))
  const bad = state.change('session', (draft) => {
    draft.settings.branding.name = 'half'
    draft.users.length = 0
    throw new Failure('conflict', 'no')
  })
  const after = state.change('session', (draft) => {
    draft.settings.branding.name += ' and after'
  })
  await assert.rejects(bad, { code: 'conflict' })
  await Promise.all([good, after])
  assert.equal(state.data.settings.branding.name, 'good and after')
  assert.deepEqual(onDisk(state), state.data)
})

test('what is live cannot be changed in passing, and a reader keeps what he has read', async (t) => {
  const state = await startState(t)
  await state.change('other', rename('one'))
  const read = state.data
  assert.throws(() => rename('two')(read as StateData), TypeError)
  await state.change('other', rename('two'))
  assert.equal(read.settings.branding.name, 'one')
})

test('a change that changes nothing writes nothing', async (t) => {
  const state = await startState(t)
  const before = statSync(state.file).ino
  await state.change('other', () => {})
  assert.equal(statSync(state.file).ino, before)
})

test('what was asked for before closing is written, what is asked for after is refused', async (t) => {
  const state = await startState(t)
  const last = state.change('other', rename('last'))
  await state.close()
  await last
  assert.equal(onDisk(state).settings.branding.name, 'last')
  await assert.rejects(state.change('other', rename('too late')), { code: 'internal' })
  assert.equal(onDisk(state).settings.branding.name, 'last')
})

type Step = 'open' | 'write' | 'sync' | 'close' | 'rename'

/** The system's calls, of which the next `step` fails once with `code`; `nth` of those counted from when it is armed. */
function failing() {
  let armed: { step: Step; code: string; nth: number } | undefined
  const wrap =
    <A extends unknown[], R>(step: Step, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (armed?.step === step) armed.nth -= 1
      if (armed?.step === step && armed.nth === 0) {
        const { code } = armed
        armed = undefined
        if (step === 'close') await call(...args)
        throw Object.assign(new Error(`${code}: ${step}`), { code })
      }
      return call(...args)
    }
  const system: DiskSystem = {
    ...diskSystem,
    open: wrap('open', diskSystem.open),
    write: wrap('write', diskSystem.write),
    sync: wrap('sync', diskSystem.sync),
    close: wrap('close', diskSystem.close),
    rename: wrap('rename', diskSystem.rename),
  }
  return {
    system,
    arm: (step: Step, code: string, nth = 1) => {
      armed = { step, code, nth }
    },
    isSpent: () => armed === undefined,
  }
}

const failures: { step: Step; code: string; failure: FailureCode; nth?: number }[] = [
  { step: 'open', code: 'EACCES', failure: 'internal' },
  { step: 'open', code: 'ENOSPC', failure: 'full' },
  { step: 'write', code: 'ENOSPC', failure: 'full' },
  { step: 'write', code: 'EDQUOT', failure: 'full' },
  { step: 'sync', code: 'EIO', failure: 'internal' },
  { step: 'close', code: 'EIO', failure: 'internal' },
  { step: 'rename', code: 'EROFS', failure: 'internal' },
]

for (const { step, code, failure } of failures) {
  test(`when ${step} fails with ${code} the change fails and memory is as before, on disk too`, async (t) => {
    const { system, arm, isSpent } = failing()
    const logged: string[] = []
    const log = { warn: () => {}, error: (_: object, text: string) => logged.push(text) }
    const state = await startState(t, { system, log })
    await state.change('session', rename('before'))
    const standing = readFileSync(state.file, 'utf8')
    const names = readdirSync(join(state.file, '..'))
    arm(step, code)
    const results = await Promise.allSettled([state.change('session', rename('one')), state.change('session', rename('two'))])
    assert.ok(isSpent())
    for (const result of results) {
      assert.ok(result.status === 'rejected' && result.reason instanceof Failure)
      assert.equal(result.reason.code, failure)
      assert.equal((result.reason.cause as NodeJS.ErrnoException).code, code)
    }
    assert.equal(state.data.settings.branding.name, 'before')
    assert.equal(readFileSync(state.file, 'utf8'), standing)
    assert.deepEqual(readdirSync(join(state.file, '..')), names, 'nothing is left behind')
    assert.deepEqual(logged, ['the state could not be written'])
    await state.change('session', rename('after'))
    assert.equal(onDisk(state).settings.branding.name, 'after')
  })
}

test('when only the folder cannot be synced the change fails and memory is what stands on disk', async (t) => {
  const { system, arm, isSpent } = failing()
  const state = await startState(t, { system })
  arm('sync', 'EIO', 2)
  await assert.rejects(state.change('session', rename('unsure')), { code: 'internal' })
  assert.ok(isSpent())
  assert.deepEqual(onDisk(state), state.data)
  await state.change('session', rename('sure'))
  assert.deepEqual(onDisk(state), state.data)
})

test('a write that the system takes in small parts is written whole', async (t) => {
  const dribbling: DiskSystem = { ...diskSystem, write: (fd, bytes) => diskSystem.write(fd, bytes.subarray(0, 10)) }
  const state = await startState(t, { system: dribbling })
  await state.change('other', rename('in parts'))
  assert.deepEqual(onDisk(state), state.data)
})

test('a state file that is a link stays one: its target is replaced', async (t) => {
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

test('links in a circle are a sentence', async (t) => {
  const folder = temporaryFolder(t)
  symlinkSync('b.json', join(folder, 'a.json'))
  symlinkSync('a.json', join(folder, 'b.json'))
  await assert.rejects(
    startState(t, { file: join(folder, 'a.json') }),
    isProblem(/a\.json cannot be used as the state file .*--database/),
  )
})

test('a state file that others may read is closed to them at the start', async (t) => {
  const state = await startState(t)
  await state.close()
  chmodSync(state.file, 0o644)
  await startState(t, { file: state.file })
  assert.equal(statSync(state.file).mode & 0o777, 0o600)
})

test('temporaries of writes that were cut off are swept, and nothing else', async (t) => {
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

function isProblem(...patterns: RegExp[]) {
  return (error: Error) => {
    assert.ok(error instanceof StartupProblem, String(error))
    for (const pattern of patterns) assert.match(error.message, pattern)
    assert.ok(!error.message.includes('\n'), 'one sentence')
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
  test(`a state file that is ${name}: no start, the good backup is named, nothing is touched`, async (t) => {
    const { file, folder, backup } = await usedState(t)
    writeFileSync(file, text)
    const before = snapshot(folder)
    await assert.rejects(startState(t, { file }), isProblem(says, new RegExp(`newest good backup is ${backup}`), /--database/))
    assert.deepEqual(snapshot(folder), before)
  })
}

test('a bad state file without any backup: no start, and nothing is made beside it', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'holdall.json'), '{')
  const before = snapshot(folder)
  await assert.rejects(startState(t, { file: join(folder, 'holdall.json') }), isProblem(/is not JSON: no backup of it is good/))
  assert.deepEqual(snapshot(folder), before)
})

test('a bad newest backup is passed over', async (t) => {
  const { file, folder, backup } = await usedState(t)
  writeFileSync(file, '{')
  writeFileSync(`${file}.backup-29991231T235959.999Z`, '{')
  const before = snapshot(folder)
  await assert.rejects(startState(t, { file }), isProblem(new RegExp(`newest good backup is ${backup};`)))
  assert.deepEqual(snapshot(folder), before)
})

test('a missing state file whose backups are there: no start, nothing is made', async (t) => {
  const { file, folder, backup } = await usedState(t)
  unlinkSync(file)
  const before = snapshot(folder)
  await assert.rejects(
    startState(t, { file }),
    isProblem(/is missing, but its backups are here/, new RegExp(`newest good backup is ${backup}`)),
  )
  assert.deepEqual(snapshot(folder), before)
})

test('the named backup, copied in its place, starts', async (t) => {
  const { file, backup } = await usedState(t)
  writeFileSync(file, readFileSync(backup))
  await startState(t, { file })
})

test('a folder that is missing is not made', async (t) => {
  const folder = temporaryFolder(t)
  await assert.rejects(startState(t, { file: join(folder, 'none/holdall.json') }), isProblem(/none.*--database/))
  assert.deepEqual(readdirSync(folder), [])
})

test('a folder that cannot be written is a sentence that names the option', async (t) => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o555)
  // Root may write everywhere: for the length of the call, which fails before it first waits, it is somebody else.
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
