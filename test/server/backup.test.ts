import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import type { State } from '../../src-server/state/state.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { rename, startState } from '../support/start-state.ts'

const backupsOf = (state: State) => {
  const folder = join(state.file, '..')
  const names = readdirSync(folder).filter((name) => name.includes('.backup-'))
  return names.sort().map((name) => join(folder, name))
}
const nameIn = (file: string): string => (JSON.parse(readFileSync(file, 'utf8')) as StateData).settings.branding.name

test('a start leaves a backup of what it found, for the owner alone', async (t) => {
  const clock = new StoppedClock()
  const state = await startState(t, { clock })
  assert.deepEqual(backupsOf(state), [], 'there was nothing to back up')
  await state.change('other', rename('first'))
  await state.close()
  const again = await startState(t, { file: state.file, clock })
  assert.deepEqual(backupsOf(again), [`${state.file}.backup-20261121T120000.000Z`])
  assert.deepEqual(backupsOf(again).map(nameIn), ['first'])
  assert.equal(statSync(backupsOf(again)[0] ?? '').mode & 0o777, 0o600)
})

test('changes make at most one an hour, of the state before the change; sessions make none', async (t) => {
  const clock = new StoppedClock()
  const first = await startState(t, { clock })
  await first.close()
  const state = await startState(t, { file: first.file, clock })
  await state.change('other', rename('one'))
  clock.advance({ minutes: 59 })
  await state.change('other', rename('two'))
  assert.equal(backupsOf(state).length, 1, 'the start made one less than an hour ago')
  clock.advance({ minutes: 1 })
  await state.change('session', rename('three'))
  assert.equal(backupsOf(state).length, 1)
  await state.change('other', rename('four'))
  await state.change('other', rename('five'))
  assert.deepEqual(backupsOf(state).map(nameIn), ['', 'three'])
})

test('ten are kept, the newest, and their names sort by time', async (t) => {
  const clock = new StoppedClock(Date.parse('2026-12-31T18:30:00Z'))
  const state = await startState(t, { clock })
  for (let round = 0; round < 14; round += 1) {
    clock.advance({ hours: 1 })
    await state.change('other', rename(`round ${round}`))
  }
  assert.deepEqual(
    backupsOf(state).map(nameIn),
    Array.from({ length: 10 }, (_, index) => `round ${index + 3}`),
  )
})

test('repeated starts do not remove the older ones', async (t) => {
  const clock = new StoppedClock()
  let state = await startState(t, { clock })
  await state.change('other', rename('precious'))
  for (let round = 0; round < 12; round += 1) {
    clock.advance({ seconds: 1 })
    await state.change('session', (draft) => {
      draft.sessions = [...draft.sessions, { id: `s${round}`, userId: 1, createdAt: 1, usedAt: 1 }]
    })
    await state.close()
    state = await startState(t, { file: state.file, clock })
  }
  assert.equal(backupsOf(state).length, 1)
})

test('a clock that was set back neither stops backups nor removes the newest first', async (t) => {
  const clock = new StoppedClock()
  const state = await startState(t, { clock })
  for (let round = 0; round < 12; round += 1) {
    clock.advance({ hours: round < 6 ? 2 : -2 })
    await state.change('other', rename(`round ${round}`))
  }
  assert.deepEqual(
    backupsOf(state).map(nameIn),
    Array.from({ length: 10 }, (_, index) => `round ${index + 1}`),
  )
})

test('files that only look like backups are left alone', async (t) => {
  const clock = new StoppedClock()
  const state = await startState(t, { clock })
  const mine = `${state.file}.backup-before-the-move`
  writeFileSync(mine, 'mine')
  for (let round = 0; round < 12; round += 1) {
    clock.advance({ hours: 1 })
    await state.change('other', rename(`round ${round}`))
  }
  assert.equal(readFileSync(mine, 'utf8'), 'mine')
  assert.equal(backupsOf(state).length, 11)
})

test('a backup that cannot be made is a warning, not a refused change, and is tried again', async (t) => {
  let isBroken = false
  const system: DiskSystem = {
    ...diskSystem,
    rename: async (from, to) => {
      if (isBroken && String(to).includes('.backup-')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      return diskSystem.rename(from, to)
    },
  }
  const warnings: string[] = []
  const log = { warn: (_: object, text: string) => warnings.push(text), error: () => {} }
  const clock = new StoppedClock()
  const state = await startState(t, { clock, system, log })
  isBroken = true
  clock.advance({ hours: 1 })
  await state.change('other', rename('one'))
  assert.equal(state.data.settings.branding.name, 'one')
  assert.deepEqual(warnings, ['a backup of the state could not be made'])
  isBroken = false
  await state.change('other', rename('two'))
  assert.deepEqual(backupsOf(state).map(nameIn), ['one'])
})
