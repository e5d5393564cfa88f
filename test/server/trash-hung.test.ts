// What a start does, and what goes on after a kill, while the disk of another trash does not answer.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Operation } from '../../src-server/base/operation.ts'
import { type Path, parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import type { Trash } from '../../src-server/trash/trash.ts'
import { restartApp } from '../support/restart-app.ts'
import { startActs } from '../support/start-acts.ts'
import { startApp } from '../support/start-app.ts'
import { deleted } from '../support/trash-calls.ts'
import { until } from '../support/until.ts'

const dead = { top: '/proc/dead', topPath: parsePath('/dead'), owner: 'i-1', topIdentity: '' }

/** The disk of a trash does not answer. @param of the calls of the disk @param never its answer */
function hang(t: TestContext, of: Disk, never: Promise<undefined> = new Promise(() => {})) {
  const { trashed, tidyTrash } = of
  t.mock.method(of, 'trashed', function (this: Disk, ...given: Parameters<Disk['trashed']>) {
    return given[1].top === dead.top ? never : trashed.apply(this, given)
  })
  t.mock.method(of, 'tidyTrash', function (this: Disk, ...given: Parameters<Disk['tidyTrash']>) {
    return given[1].top === dead.top ? never : tidyTrash.apply(this, given)
  })
}

/** A person's files, and a further trash on a disk that does not answer. */
async function startHung(t: TestContext, answer?: Promise<undefined>) {
  const acts = await startActs(t, { files: { 'd/a': 'a', 'dead/b': 'b' }, longestAwaited: 1 })
  const { disk, parts } = acts
  hang(t, disk, answer)
  void parts().trash.trash.howFor({ id: 1, name: 'ann' }).notePlace(dead)
  return acts
}

const [path, item] = [parsePath('/d/a'), 'a'.repeat(32)]

const looks: readonly [string, (files: UserFiles, at?: Path) => Promise<unknown>][] = [
  ['a removal', (files, at = path) => files.resuming.endRemoval(at, { version: '', isDir: false, item })],
  ['a restore or a removal for good', (files, at = path) => files.trash.isThere(item, [at])],
  [
    'an undo',
    (files, at = path) => files.deeds.compareTrash([{ what: 'entry', at, isDir: false, trace: { identity: '', version: '' } }]),
  ],
]

for (const [what, look] of looks) {
  test(`what a kill has left in the trash without a note is found by ${what} that goes on at its path`, async (t) => {
    const { filesNow, parts } = await startHung(t)
    const { trash } = parts().trash
    await filesNow().remove(path, { to: 'trash', item })
    const known = trash.get(item)
    assert.ok(known)
    trash.left(known)
    await look(filesNow())
    assert.ok(trash.get(item))
  })
}

/** Counts the looks that have come to the comparison with the disks. */
function lookingAt(t: TestContext, trash: Trash) {
  const { compareAt } = trash
  const looking = { count: 0 }
  t.mock.method(trash, 'compareAt', (...given: Parameters<typeof compareAt>) => {
    looking.count++
    return compareAt.apply(trash, given)
  })
  return looking
}

test('what goes on at a path on the disk that does not answer can be stopped', async (t) => {
  const { filesNow, parts } = await startHung(t)
  const looking = lookingAt(t, parts().trash.trash)
  for (const [index, [what, look]] of looks.entries()) {
    const stop = new AbortController()
    const looked = look(filesNow(new Operation({ within: stop.signal })), parsePath('/dead/a'))
    await until(() => looking.count > index, `${what} waits`)
    stop.abort(new Error('stopped'))
    await assert.rejects(looked, { message: 'stopped' }, what)
  }
})

test('what goes on at a path that leads to another disk by a link waits for that disk', async (t) => {
  const answer = Promise.withResolvers<undefined>()
  const { root, filesNow, parts } = await startHung(t, answer.promise)
  symlinkSync('dead', join(root, 'l'))
  const looking = lookingAt(t, parts().trash.trash)
  const order: string[] = []
  const looked = looks
    .filter(([what]) => what !== 'a restore or a removal for good')
    .map(([what, look]) => look(filesNow(), parsePath('/l/a')).then(() => order.push(what)))
  await until(() => looking.count === 2, 'both wait')
  // As long as those wait who ask for something on others.
  for (const _ of looks) await parts().trash.trash.compareAt([path])
  order.push('the answer')
  answer.resolve(undefined)
  await Promise.all(looked)
  assert.equal(order[0], 'the answer')
})

test('a start removes what is due', async (t) => {
  const app = await startApp(t, { files: { due: 'due' } })
  await deleted(await app.as('ann'), '/due')
  const [own = ''] = readdirSync(join(app.root, '.holdall-trash'))
  const due = join(app.root, '.holdall-trash', own, 'files/due')
  assert.ok(existsSync(due))
  hang(t, Disk.prototype)
  const between = () => appendFileSync(join(app.folder, 'state.json.trash-places'), `${JSON.stringify(dead)}\n`)
  const next = await restartApp(app, { between })
  app.clock.advance({ days: 31 })
  void next.parts.startTrash()
  await until(() => !existsSync(due), 'what is due has gone')
})
