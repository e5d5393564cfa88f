// When changes of a folder are sent: by a clock that the test moves, without a disk.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Path } from '../../src-server/base/paths.ts'
import { FolderChanges } from '../../src-server/disk/folder-changes.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { FollowedFolder } from '../../src-server/live/followed-folder.ts'
import { StoppedClock } from '../support/clock.ts'

/** More names than are sent one by one. */
const many = 300
const step = 10

/** A followed folder of which the test reports changes, and the messages about it. */
async function follow(t: TestContext) {
  const clock = new StoppedClock()
  const changes = new FolderChanges()
  const ending = new AbortController()
  t.after(() => ending.abort())
  const sent: { kind: string; at: number }[] = []
  const watch = { folder: Symbol('folder'), isComplete: true, next: () => changes.next(), close() {} }
  const following = {
    watch: async () => watch,
    servedPath: (path: Path) => path,
    hasRightsOf: () => true,
    modifiedAt: async () => undefined,
    changedItems: async (_: Path, names: readonly string[]) =>
      names.includes('film.mp4') ? undefined : { items: [], removed: names },
  }
  new FollowedFolder('/d' as Path, {
    clock,
    signal: ending.signal,
    send: async ({ kind }) => void sent.push({ kind, at: clock.elapsed() }),
    drained: async () => {},
    withFiles: (work) => work({ following } as unknown as UserFiles),
  })
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      for (let turn = 0; turn < 3; turn++) await setImmediate()
      clock.advance({ milliseconds: step })
    }
    await setImmediate()
  }
  let made = 0
  const change = (count: number) => {
    for (let index = 0; index < count; index++) changes.add(`${made++}`)
  }
  const grow = () => changes.add('film.mp4')
  /** Milliseconds from now until a message of this kind is sent. */
  const until = async (kind: string) => {
    const [begun, before] = [clock.elapsed(), sent.length]
    while (!sent.slice(before).some((message) => message.kind === kind)) {
      assert.ok(clock.elapsed() < begun + 5000, `no ${kind} in five seconds`)
      await pass(step)
    }
    return clock.elapsed() - begun
  }
  await until('following')
  return { sent, change, grow, pass, until }
}

test('a change right after the advice to list again is sent without the pause between two listings', async (t) => {
  const { change, until } = await follow(t)
  change(many)
  await until('resync')
  change(1)
  const took = await until('changed')
  assert.ok(took <= 300, `${took} ms`)
})

test('when many changes are over, what was not listed is advised at once, and the next change is sent', async (t) => {
  const { change, pass, until } = await follow(t)
  change(many)
  await until('resync')
  await pass(50)
  change(many)
  const advised = await until('resync')
  assert.ok(advised <= 400, `${advised} ms`)
  change(1)
  const took = await until('changed')
  assert.ok(took <= 300, `${took} ms`)
})

test('while many changes go on, or a video grows, the folder is advised to be listed again less than twice a second', async (t) => {
  for (const report of ['change', 'grow'] as const) {
    const { pass, sent, ...followed } = await follow(t)
    for (let passed = 0; passed < 4000; passed += 50) {
      followed[report](many)
      await pass(50)
    }
    const advice = sent.filter(({ kind }) => kind === 'resync').length
    assert.ok(advice >= 4 && advice <= 6, `${report}: ${advice} times in four seconds`)
  }
})
