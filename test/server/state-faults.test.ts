import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Failure, type FailureCode } from '../../src-server/base/failure.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import type { State } from '../../src-server/state/state.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { failing, type Step } from '../support/failing-system.ts'
import { rename, startState } from '../support/start-state.ts'

const onDisk = (state: State): StateData => JSON.parse(readFileSync(state.file, 'utf8'))

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
    // With it the second attempt would succeed.
    unlinkSync(`${state.file}.reserve`)
    const names = () => readdirSync(join(state.file, '..')).filter((name) => !name.endsWith('.reserve'))
    const before = names()
    arm(step, code)
    const results = await Promise.allSettled([state.change('session', rename('one')), state.change('session', rename('two'))])
    assert.ok(isSpent())
    for (const result of results) {
      assert.ok(result.status === 'rejected' && result.reason instanceof Failure)
      assert.equal(result.reason.code, failure)
      assert.ok(result.reason.isLogged)
      assert.equal((result.reason.cause as NodeJS.ErrnoException).code, code)
    }
    assert.equal(state.data.settings.branding.name, 'before')
    assert.equal(readFileSync(state.file, 'utf8'), standing)
    assert.deepEqual(names(), before, 'no temporary file is left')
    assert.deepEqual(logged, ['the state could not be written'])
    await state.change('session', rename('after'))
    assert.equal(onDisk(state).settings.branding.name, 'after')
  })
}

test('when only the folder cannot be synced the change fails and memory is as on disk', async (t) => {
  const { system, arm, isSpent } = failing()
  const state = await startState(t, { system })
  arm('sync', 'EIO', 2)
  await assert.rejects(state.change('session', rename('unsure')), { code: 'internal' })
  assert.ok(isSpent())
  assert.deepEqual(onDisk(state), state.data)
  arm('sync', 'EIO', 2)
  await assert.rejects(
    state.change('session', rename('unsure')),
    { code: 'internal' },
    'the same change again is not treated as done',
  )
  await state.change('session', rename('unsure'))
  assert.deepEqual(onDisk(state), state.data)
})

test('on a full disk the state is written in the place of its reserve, as often as that can be made again', async (t) => {
  let isFull = false
  const system: DiskSystem = {
    ...diskSystem,
    // A disk with room for one state more when the reserve is not there.
    writev: async (...args) => {
      if (isFull && existsSync(`${state.file}.reserve`)) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      return diskSystem.writev(...args)
    },
  }
  const state: State = await startState(t, { system })
  await state.change('session', rename('before'))
  isFull = true
  for (const name of ['one', 'two', 'three']) {
    await state.change('session', rename(name))
    assert.equal(onDisk(state).settings.branding.name, name)
  }
  isFull = false
  await state.change('session', rename('after'))
  assert.ok(statSync(`${state.file}.reserve`).size >= 2 * statSync(state.file).size)
})
