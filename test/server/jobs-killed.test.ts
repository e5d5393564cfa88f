// What a kill amid a job leaves of its act: continued, all that it has changed is in it, so that undo leads to how it was before.
import assert from 'node:assert/strict'
import { appendFile, cp, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { nextTickAfter } from '../../src-server/base/clock-ticks.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import type { HistoryLimits } from '../../src-server/history/limits.ts'
import type { RunRequest } from '../../src-server/jobs/names.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import type { ActHead } from '../../src-server/state/history-store.ts'
import { startActs } from '../support/start-acts.ts'
import { Gate } from '../support/start-jobs.ts'
import { harvest, plant, type Tree, temporaryFolder } from '../support/tree.ts'

type Case = Readonly<{
  what: string
  files: Tree
  kind: RunRequest['kind']
  /** Of a restore: the paths of what is deleted before. */
  entries: readonly string[]
  to?: string
  taken?: RunRequest['taken']
  /** What is made after the deletions. */
  made?: Tree
  after: Tree
  /** All below `/t` lies on another device. */
  twoDevices?: boolean
  limits?: Partial<HistoryLimits>
}>

/** A history that a kill ends between the changes of an act and its head. */
class CutHistory extends HistoryFiles {
  readonly #cut = Promise.withResolvers<void>()
  /** When changes are kept that no head tells of. */
  readonly isCut = this.#cut.promise

  override async setHead(head: ActHead, isDurable: boolean): Promise<void> {
    if (isDurable) return super.setHead(head, isDurable)
    this.#cut.resolve()
    await new Promise<never>(() => {})
  }
}

type KillHow = Readonly<{
  step: number
  /** What was noted by then is kept. */
  isNoted: boolean
  /** What others do before it is continued, in the folder that is served. */
  meanwhile?(root: string): Promise<void>
}>

/** Kills the server after a step of a job, and continues it on another one. @returns undefined after the last step */
async function killedAt(t: TestContext, one: Case, how: KillHow) {
  const app = await leftAt(t, one, how)
  return app && { ...app, job: await app.goOn(app.asked) }
}

/** Kills the server after a step of a job. @returns undefined after the last step */
async function leftAt(t: TestContext, one: Case, { step, isNoted, meanwhile }: KillHow) {
  const app = await startActs(t, one)
  const ids = new Map<string, string>()
  if (one.kind === 'restore') {
    for (const path of one.entries) ids.set(path, (await app.filesNow().remove(parsePath(path))) ?? '')
  }
  await plant(app.root, one.made ?? {})
  const before = await harvest(app.root)
  const entries = one.entries.map((path) => (ids.has(path) ? `/${ids.get(path)}` : path))
  const to = one.to === undefined ? undefined : parsePath(one.to)
  const request = app.request(one.kind, entries, {
    taken: 'number',
    ...(one.taken && { taken: one.taken }),
    to,
    places: ['/1', '/2'],
  })
  const gate = new Gate('files')
  const held = gate.holdAt(step, 'after')
  const jobs = await app.open(gate)
  const started = app.begin(jobs, request)
  const reached = await Promise.race([
    held.then(() => 'held' as const),
    started.then((job) => job.rested).then(() => 'ended' as const),
  ])
  if (reached === 'ended') return undefined
  await gate.still()
  if (isNoted) await app.parts().deeds.kept({ userId: app.present().id })
  await meanwhile?.(app.root)
  return { ...app, before, asked: request }
}

const files: Tree = { 'a.txt': 'A', 'd/1': 'one', 'd/e/2': 'two', 'n/': '' }
const taken: Tree = { ...files, 't/a.txt': 'old' }

const cases: readonly Case[] = [
  {
    ...{ what: 'a copy', kind: 'copy', files, entries: ['/a.txt', '/d'], to: '/n' },
    after: { 'a.txt': 'A', 'd/1': 'one', 'd/e/2': 'two', 'n/a.txt': 'A', 'n/d/1': 'one', 'n/d/e/2': 'two' },
  },
  {
    ...{ what: 'a copy over a file', kind: 'copy', files: taken, entries: ['/a.txt', '/d'], to: '/t', taken: 'replace' },
    after: { ...files, 't/a.txt': 'A', 't/d/1': 'one', 't/d/e/2': 'two' },
  },
  {
    ...{ what: 'a move', kind: 'move', files, entries: ['/a.txt', '/d'], to: '/n' },
    after: { 'n/a.txt': 'A', 'n/d/1': 'one', 'n/d/e/2': 'two' },
  },
  {
    ...{ what: 'a move over a file', kind: 'move', files: taken, entries: ['/a.txt', '/d'], to: '/t', taken: 'replace' },
    after: { 'n/': '', 't/a.txt': 'A', 't/d/1': 'one', 't/d/e/2': 'two' },
  },
  {
    ...{ what: 'a move to another device', kind: 'move', files: { ...files, 't/x': 'X' }, entries: ['/a.txt', '/d'], to: '/t' },
    ...{ twoDevices: true, after: { 'n/': '', 't/a.txt': 'A', 't/d/1': 'one', 't/d/e/2': 'two', 't/x': 'X' } },
  },
  { what: 'a restore', kind: 'restore', files, entries: ['/a.txt', '/d'], after: files },
  {
    ...{ what: 'a restore over a file', kind: 'restore', files, entries: ['/a.txt', '/d'], taken: 'replace' },
    ...{ made: { 'a.txt': 'new' }, after: files },
  },
  {
    ...{ what: 'a restore over a folder', kind: 'restore', files, entries: ['/a.txt', '/d'], taken: 'replace' },
    ...{ made: { 'a.txt/in/it': 'new' }, after: files },
  },
  {
    ...{ what: 'a restore of a folder over a file', kind: 'restore', files, entries: ['/a.txt', '/d'], taken: 'replace' },
    ...{ made: { d: 'new' }, after: files },
  },
  { what: 'a removal', kind: 'delete', files, entries: ['/a.txt', '/d'], after: { 'n/': '' } },
]

for (const one of cases) {
  // Across devices all is noted at the end.
  for (const isNoted of one.twoDevices ? [false] : [false, true]) {
    const kept = isNoted ? 'and of which all was noted' : 'and of which nothing was noted'
    test(`${one.what} that was killed after any step, ${kept}, is undone and done again whole`, async (t) => {
      const after = await planted(t, one.after)
      for (let step = 0; ; step++) {
        const app = await killedAt(t, one, { step, isNoted })
        if (!app) return assert.ok(step > 1, `${step} steps`)
        const at = `step ${step}`
        assert.deepEqual([app.job.head.failed, app.reports], [0, []], at)
        assert.deepEqual(await harvest(app.root), after, at)
        for (const direction of isNoted ? (['undo', 'redo', 'undo'] as const) : (['undo'] as const)) {
          const { left, isChanged } = await app.turn(direction)
          assert.deepEqual([left, isChanged], [[], true], `${at} ${direction}`)
          assert.deepEqual(await harvest(app.root), direction === 'undo' ? app.before : after, `${at} ${direction}`)
        }
      }
    })
  }
}

for (const one of cases.filter(({ kind }) => kind !== 'move')) {
  test(`${one.what} that was killed after any step, and is undone or cancelled then, is undone with all that it has changed`, async (t) => {
    let [undone, found] = [0, 0]
    // What has few steps is left after each of them in two ways, so that all ways are seen.
    const ways = one.kind === 'copy' ? 1 : 2
    for (let turn = 0; ; turn++) {
      const step = Math.floor(turn / ways)
      const app = await leftAt(t, one, { step, isNoted: turn % 2 === 1 })
      if (!app) break
      await app.startServer()
      const jobs = await app.open()
      app.parts().deeds.setJobs(jobs)
      const job = jobs.find(app.present().id, app.asked.id)
      const left = await harvest(app.root)
      const { done } = job.head
      // Where no act is there yet, nothing can be undone before it is cancelled.
      if (turn % 4 > 1 || (await app.acts()).length === 0) {
        await job.cancel()
        await job.rested
        assert.deepEqual(await harvest(app.root), left, `step ${step}`)
      }
      if ((await app.acts()).length > 0) {
        assert.deepEqual((await app.turn('undo')).left, [], `step ${step}`)
        undone++
      }
      if (job.head.done > done) found++
      assert.deepEqual([job.head.state, job.head.failed, app.reports], ['cancelled', 0, []], `step ${step}`)
      assert.deepEqual(await harvest(app.root), app.before, `step ${step}`)
    }
    assert.ok(undone > 1 && found > 0, `${undone} undone, ${found} found`)
  })
}

test('what a person has put at a path whose file a killed copy had replaced stays, and undoing the copy says so', async (t) => {
  const copy: Case = { what: '', kind: 'copy', files: taken, entries: ['/a.txt', '/d'], to: '/t', taken: 'replace', after: {} }
  const app = await leftAt(t, copy, {
    step: 0,
    isNoted: false,
    meanwhile: (root) => appendFile(join(root, 't/a.txt'), ' edited'),
  })
  await app?.startServer()
  const job = (await app?.open())?.find(app?.present().id ?? 0, app?.asked.id ?? '')
  await job?.cancel()
  await job?.rested
  assert.deepEqual((await app?.turn('undo'))?.left, [{ path: '/t/a.txt', how: 'taken' }])
  assert.equal((await harvest(app?.root ?? ''))['t/a.txt'], 'A edited')
})

test('what a person has copied to the same place while a killed job rested is not taken for its own, and stays', async (t) => {
  const app = await leftAt(
    t,
    { what: '', kind: 'copy', files, entries: ['/a.txt', '/d'], to: '/n', after: {} },
    { step: 0, isNoted: false },
  )
  assert.ok(app)
  await app.startServer()
  const job = (await app.open()).find(app.present().id, app.asked.id)
  await nextTickAfter(Date.now())
  await plant(app.root, { 'n/d/1': 'one' })
  const seconds = Number((await stat(join(app.root, 'd/1'), { bigint: true })).mtimeNs) / 1e9
  await utimes(join(app.root, 'n/d/1'), seconds, seconds)
  await job.cancel()
  await job.rested
  assert.deepEqual((await app.turn('undo')).left, [])
  const { 'n/': _, ...others } = app.before
  assert.deepEqual(await harvest(app.root), { ...others, 'n/d/1': 'one' })
})

for (const [what, one, between] of [
  ['a file that was copied is gone', { kind: 'copy', files, entries: ['/a.txt', '/d'], to: '/n' }, { gone: 'a.txt' }],
  [
    'a file that was copied over another is gone',
    { kind: 'copy', files: taken, entries: ['/a.txt', '/d'], to: '/t', taken: 'replace' },
    { gone: 'a.txt' },
  ],
  ['a file that was copied is edited', { kind: 'copy', files, entries: ['/a.txt', '/d'], to: '/n' }, { edited: 'a.txt' }],
  ['a command refuses the copy', { kind: 'copy', files, entries: ['/a.txt', '/d'], to: '/n' }, { isRefused: true }],
  ['a command refuses the removal', { kind: 'delete', files, entries: ['/a.txt', '/d'] }, { isRefused: true }],
  ['a command refuses the restore', { kind: 'restore', files, entries: ['/a.txt', '/d'] }, { isRefused: true }],
] as const) {
  test(`what a killed job has done is undone also when ${what} before the job is cancelled`, async (t) => {
    const { gone = '', edited = '', isRefused = false } = { gone: '', edited: '', isRefused: false, ...between }
    const meanwhile = async (root: string) => {
      if (gone) await rm(join(root, gone))
      if (edited) await appendFile(join(root, edited), ' edited')
    }
    for (let step = 0; step < 2; step++) {
      const app = await leftAt(t, { what, after: {}, ...one }, { step, isNoted: false, meanwhile })
      assert.ok(app)
      const { events } = await app.startServer()
      let isOn = isRefused
      events.before(() => {
        if (isOn) throw new Error('refused')
      })
      const jobs = await app.open()
      const job = jobs.find(app.present().id, app.asked.id)
      await job.cancel()
      await job.rested
      isOn = false
      assert.deepEqual((await app.turn('undo')).left, [], `step ${step}`)
      const { [gone]: _, ...kept } = app.before
      const expected = { ...kept, ...(edited && { [edited]: `${app.before[edited]} edited` }) }
      assert.deepEqual([await harvest(app.root), job.head.failed], [expected, 0], `step ${step}`)
    }
  })
}

test('of a copy that was killed only folders are looked into that it has made', async (t) => {
  const copy: Case = { what: '', kind: 'copy', files, entries: ['/d'], to: '/n', after: {} }
  const app = await leftAt(t, copy, { step: 0, isNoted: false })
  await app?.startServer()
  const jobs = await app?.open()
  const looked: string[] = []
  const { listInParts } = Disk.prototype
  t.mock.method(Disk.prototype, 'listInParts', function (this: Disk, ...asked: Parameters<Disk['listInParts']>) {
    looked.push(Capability.check(asked[0], 'read').path)
    return listInParts.apply(this, asked)
  })
  const job = jobs?.find(app?.present().id ?? 0, app?.asked.id ?? '')
  await job?.cancel()
  await job?.rested
  assert.deepEqual(looked, ['/d'])
  assert.deepEqual([(await app?.turn('undo'))?.left, await harvest(app?.root ?? '')], [[], app?.before])
})

const renames: readonly (Pick<Case, 'what' | 'files' | 'entries' | 'taken'> &
  Pick<KillHow, 'meanwhile'> & { isNumbered: boolean })[] = [
  { what: 'a folder without a lasting number', files: { 'd/1': 'one', 't/x': 'X' }, entries: ['/d'], isNumbered: false },
  {
    ...{ what: 'a link without a lasting number, over a file', files: { l: { link: 'x' }, 't/l': 'old' }, entries: ['/l'] },
    ...{ taken: 'replace', isNumbered: false },
  },
  {
    ...{ what: 'a file that was edited before the job went on', files: { a: 'A', 't/x': 'X' } },
    ...{ entries: ['/a'], isNumbered: true },
    meanwhile: (root) => appendFile(join(root, 't/a'), ' edited'),
  },
  {
    ...{ what: 'a file over another, edited before the job went on', files: { a: 'A', 't/a': 'old' }, entries: ['/a'] },
    ...{ taken: 'replace', isNumbered: true, meanwhile: (root) => appendFile(join(root, 't/a'), ' edited') },
  },
]

for (const { what, files, entries, taken, meanwhile, isNumbered } of renames) {
  test(`a rename that a kill came after is none to another disk: ${what}`, async (t) => {
    if (!isNumbered) t.mock.method(Disk.prototype, 'identify', async () => '')
    const move: Case = { what, files, entries, ...(taken && { taken }), kind: 'move', to: '/t', after: {} }
    const app = await killedAt(t, move, { step: 0, isNoted: false, ...(meanwhile && { meanwhile }) })
    const [act] = (await app?.acts()) ?? []
    const lines = (await app?.parts().deeds.deeds(act?.userId ?? 0, [act?.id ?? '']))?.get(act?.id ?? '') ?? []
    const found = lines.map(({ is }) => (is.what === 'move' ? [is.what, is.from, is.at, is.isAcross] : [is.what, is.at]))
    const [from = ''] = entries
    const replaced = taken ? [['entry', `/t${from}`]] : []
    assert.deepEqual([found, act?.isAcross], [[...replaced, ['move', from, `/t${from}`, undefined]], undefined])
  })
}

test('a move that a kill came after is one to another disk also where one of the two does not number its objects lastingly', async (t) => {
  const { identify } = Disk.prototype
  t.mock.method(Disk.prototype, 'identify', function (this: Disk, ...asked: Parameters<Disk['identify']>) {
    return Capability.check(asked[0], 'read').path.startsWith('/t/') ? Promise.resolve('') : identify.apply(this, asked)
  })
  const move: Case = { what: '', kind: 'move', files: { 'a/x': 'X', 't/y': 'Y' }, entries: ['/a'], to: '/t', after: {} }
  // A copy has another object than what was copied.
  const meanwhile = async (root: string) => {
    await cp(join(root, 't/a'), join(root, 't/copy'), { recursive: true })
    await rm(join(root, 't/a'), { recursive: true })
    await rename(join(root, 't/copy'), join(root, 't/a'))
  }
  const app = await killedAt(t, move, { step: 0, isNoted: false, meanwhile })
  const [act] = (await app?.acts()) ?? []
  assert.equal(act?.isAcross, true)
})

for (const [what, kind, files, entry] of [
  ['a copy of a folder', 'copy', { 'd/1': 'one', 'd/2': 'two', 't/x': 'X' }, 'd'],
  ['a move to another disk', 'move', { 'd/1': 'one', 't/x': 'X' }, 'd'],
] as const) {
  test(`${what} is one chosen entry also when a kill came before the head of its act was written`, async (t) => {
    const cut: { history?: CutHistory } = {}
    const historyOf = (stateFile: string) => {
      cut.history = new CutHistory({ stateFile })
      return cut.history
    }
    const app = await startActs(t, { files, twoDevices: true, historyOf })
    const gate = new Gate()
    const request = app.request(kind, [`/${entry}`], { taken: 'number', places: ['/1', '/2'] })
    void app.begin(await app.open(gate), request)
    await cut.history?.isCut
    void gate.holdAt(gate.steps, 'before')
    await gate.still()
    await app.startServer()
    const [left] = await app.acts()
    const isAcross = kind === 'move' || undefined
    assert.deepEqual([left?.chosen, left?.names, left?.isAcross], [1, ['d'], isAcross])
    const next = await app.open()
    await next.find(app.present().id, request.id).resume()
    await (await app.reaches(next, request.id, 'ended')).rested
    const [act] = await app.acts()
    assert.deepEqual([act?.chosen, act?.names, act?.isAcross, act?.deeds], [1, ['d'], isAcross, kind === 'copy' ? 3 : 1])
  })
}

const five: Tree = { 'd/1': 'one', 'd/2': 'two', 'd/3': 'three', 'd/4': 'four', 'd/5': 'five', 't/x': 'X' }

test('a copy that was killed and goes on is an act of as many changes as without that', async (t) => {
  const copy: Case = { what: '', kind: 'copy', files: five, entries: ['/d'], to: '/t', after: {}, limits: { deeds: 6 } }
  for (let step = 0; ; step++) {
    const app = await killedAt(t, copy, { step, isNoted: true })
    if (!app) return assert.equal(step, 6)
    const [act] = await app.acts()
    assert.deepEqual([act?.deeds, act?.chosen, act?.names, act?.isTooLarge], [6, 1, ['d'], undefined], `step ${step}`)
  }
})

/** A tree as it is read back. */
async function planted(t: TestContext, tree: Tree) {
  const folder = await temporaryFolder(t)
  await plant(folder, tree)
  return harvest(folder)
}
