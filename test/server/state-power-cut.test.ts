// A power cut at every step of every write of the state, on a disk that loses what was not synced.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { downloadLog } from '../../src-server/state/download-log.ts'
import type { Migrations } from '../../src-server/state/migrations.ts'
import { readState, type StateReading } from '../../src-server/state/read-state.ts'
import { State } from '../../src-server/state/state.ts'
import { Accounts } from '../../src-server/users/accounts.ts'
import { ensureAdministrator } from '../../src-server/users/first-administrator.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { StoppedClock } from '../support/clock.ts'
import { FaultyDisk, type Survives } from '../support/faulty-disk.ts'
import { cheapCost, rename, startState, temporaryFolder } from '../support/start-state.ts'

type Setting = Readonly<{ disk: FaultyDisk; file: string; clock: StoppedClock; folder: string }>

type Read = (file: string) => StateReading

type Scenario = {
  name: string
  /** The synced content of the disk before `work`. */
  before?: (file: string, clock: StoppedClock) => Promise<void>
  /** The work during which the power fails; rejects when the disk fails. */
  work(setting: Setting): Promise<unknown>
  /** @param wasDone whether `work` had resolved: then it must be there */
  check(state: State, wasDone: boolean): Promise<void> | void
  read?: Read
}

async function makeState(file: string, clock: StoppedClock) {
  const state = await State.open({ file, clock })
  await state.change('other', rename('before'))
  await state.close()
}

/** Opens the state, works and closes it, which releases the lock as a power cut does. */
async function inState({ file, clock, disk }: Setting, work: (state: State) => Promise<unknown>, read?: Read) {
  const state = await State.open({ file, clock, system: disk.system, ...(read !== undefined && { read }) })
  try {
    await work(state)
  } finally {
    await state.close()
  }
}

function isBeforeOr(after: string) {
  return ({ data }: State, wasDone: boolean) => {
    const { name } = data.settings.branding
    assert.ok(name === after || (!wasDone && name === 'before'), `"${name}", though it was ${wasDone ? '' : 'not '}done`)
  }
}

const toSchema2: Migrations = { current: 2, steps: [(state) => ({ ...state, instance: '00000002' })] }

const scenarios: Scenario[] = [
  {
    name: 'the first start',
    work: (setting) => inState(setting, async () => {}),
    check: () => {},
  },
  {
    name: 'a sign-in',
    before: makeState,
    work: (setting) => inState(setting, (state) => state.change('session', rename('after'))),
    check: isBeforeOr('after'),
  },
  {
    name: 'a change with its backup',
    before: makeState,
    work: (setting) =>
      inState(setting, (state) => {
        setting.clock.advance({ hours: 2 })
        return state.change('other', rename('after'))
      }),
    check: isBeforeOr('after'),
  },
  {
    name: 'many changes at once',
    before: makeState,
    work: (setting) =>
      inState(setting, (state) => Promise.all(['one', 'two', 'after'].map((name) => state.change('session', rename(name))))),
    check: isBeforeOr('after'),
  },
  {
    name: 'an eleventh backup',
    before: async (file, clock) => {
      await makeState(file, clock)
      for (let round = 0; round < 10; round += 1) {
        clock.advance({ hours: 1 })
        writeFileSync(`${file}.backup-${new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '')}`, 'old')
      }
      clock.advance({ hours: 1 })
    },
    work: (setting) => inState(setting, (state) => state.change('session', rename('after'))),
    check: isBeforeOr('after'),
  },
  {
    name: 'a migration',
    before: makeState,
    work: (setting) =>
      inState(
        setting,
        async () => {},
        (file) => readState(file, toSchema2),
      ),
    read: (file) => readState(file, toSchema2),
    check: ({ data }) => {
      assert.equal(data.settings.branding.name, 'before')
      assert.deepEqual([data.schema, data.instance], [2, '00000002'])
    },
  },
  {
    name: 'the first administrator, whose password is written to a file',
    before: makeState,
    work: (setting) => inState(setting, (state) => administrator(state, setting.clock)),
    check: async (state, wasDone) => {
      const [admin] = state.data.users
      assert.ok(admin !== undefined || !wasDone)
      if (admin === undefined) return
      const password = readFileSync(state.firstPassword.path, 'utf8').trimEnd()
      assert.ok(await new Passwords({ cost: cheapCost }).verify(password, admin.password), 'the file holds his password')
    },
  },
]

function administrator(state: State, clock: StoppedClock) {
  const accounts = new Accounts({ state, clock, passwords: new Passwords({ cost: cheapCost }) })
  return ensureAdministrator({ accounts, state, given: () => undefined, isTerminal: false })
}

/** @returns whether the power went before the work was done */
async function cutAt(
  t: TestContext,
  { before, work, check, read }: Scenario,
  step: number,
  survives: Survives,
): Promise<boolean> {
  const clock = new StoppedClock()
  const folder = join(temporaryFolder(t), 'state')
  mkdirSync(folder)
  const file = join(folder, 'holdall.json')
  await before?.(file, clock)
  const disk = new FaultyDisk(folder)
  t.after(() => disk.close())
  disk.crashAt(step)
  const wasDone = await work({ disk, file, clock, folder }).then(
    () => true,
    () => false,
  )
  const remains = join(temporaryFolder(t), 'remains')
  disk.afterPowerCut(remains, survives)
  const state = await State.open({ file: join(remains, 'holdall.json'), clock, ...(read !== undefined && { read }) })
  try {
    await check(state, wasDone)
    const temporaries = readdirSync(remains).filter((name) => name.includes('.tmp-'))
    assert.deepEqual(temporaries, [], 'temporary files are removed')
  } finally {
    await state.close()
  }
  return disk.calls.length > step
}

for (const scenario of scenarios) {
  for (const survives of ['nothing', 'names'] as const) {
    test(`a power cut at any step of ${scenario.name} leaves a whole state (${survives} unsynced stays)`, async (t) => {
      let step = 0
      while (await cutAt(t, scenario, step, survives)) step += 1
      assert.ok(step >= 7, `only ${step} steps were cut`)
    })
  }
}

test('every write has these steps: a new file, its bytes, its sync, the name, the sync of the folder', async (t) => {
  const folder = temporaryFolder(t)
  const disk = new FaultyDisk(folder)
  t.after(() => disk.close())
  const state = await startState(t, { file: join(folder, 'holdall.json'), system: disk.system })
  // The first one also makes the reserve for a full disk.
  await state.change('session', rename('before'))
  const from = disk.calls.length
  await state.change('session', rename('after'))
  const calls = disk.calls.slice(from).map((call) => call.replaceAll(/\.tmp-[0-9a-f]{32}/g, '.tmp'))
  assert.deepEqual(calls, [
    'open holdall.json.tmp',
    'write holdall.json.tmp',
    'sync holdall.json.tmp',
    'close holdall.json.tmp',
    'rename holdall.json.tmp holdall.json',
    'open .',
    'sync .',
    'close .',
  ])
})

test('a write without a sync fails on this disk, which the tests above rely on', async (t) => {
  for (const forgotten of ['content', 'folder'] as const) {
    const folder = join(temporaryFolder(t), 'state')
    mkdirSync(folder)
    const file = join(folder, 'holdall.json')
    await makeState(file, new StoppedClock())
    const disk = new FaultyDisk(folder)
    t.after(() => disk.close())
    let syncs = 0
    const forgetful = {
      ...disk.system,
      sync: async (fd: number) => {
        syncs += 1
        if ((syncs % 2 === 1) === (forgotten === 'folder')) await disk.system.sync(fd)
      },
    }
    const state = await startState(t, { file, system: forgetful })
    syncs = 0
    await state.change('session', rename('after'))
    const survives = forgotten === 'content' ? 'names' : 'nothing'
    const remains = join(temporaryFolder(t), 'remains')
    disk.afterPowerCut(remains, survives)
    const left = join(remains, 'holdall.json')
    assert.ok(existsSync(left))
    const reading = readState(left)
    assert.ok(reading.kind === 'bad' || (reading.kind === 'good' && reading.data.settings.branding.name === 'before'), forgotten)
  }
})

test('a download of a link that was counted survives a power cut, the first one too', async (t) => {
  const folder = temporaryFolder(t)
  const [stateFolder, left] = [join(folder, 'state'), join(folder, 'left')]
  mkdirSync(stateFolder)
  const disk = new FaultyDisk(stateFolder)
  t.after(() => disk.close())
  await downloadLog(join(stateFolder, 'holdall.json'), disk.system).append({ hash: 'a', add: 1 }, true)
  disk.afterPowerCut(left, 'nothing')
  assert.deepEqual(downloadLog(join(left, 'holdall.json')).read(), [{ hash: 'a', add: 1 }])
})
