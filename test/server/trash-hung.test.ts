// What a start does, and what goes on after a kill, while the disk of another trash does not answer.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import { restartApp } from '../support/restart-app.ts'
import { startActs } from '../support/start-acts.ts'
import { startApp } from '../support/start-app.ts'
import { deleted } from '../support/trash-calls.ts'
import { until } from '../support/until.ts'

const dead = { top: '/proc/dead', topPath: parsePath('/dead'), owner: 'i-1', topIdentity: '' }

/** The disk of a trash does not answer. @param of the calls of the disk */
function hang(t: TestContext, of: Disk) {
  const { trashed, tidyTrash } = of
  const never = new Promise<never>(() => {})
  t.mock.method(of, 'trashed', function (this: Disk, ...given: Parameters<Disk['trashed']>) {
    return given[1].top === dead.top ? never : trashed.apply(this, given)
  })
  t.mock.method(of, 'tidyTrash', function (this: Disk, ...given: Parameters<Disk['tidyTrash']>) {
    return given[1].top === dead.top ? never : tidyTrash.apply(this, given)
  })
}

/** A person's files, and a further trash on a disk that does not answer. */
async function startHung(t: TestContext) {
  const acts = await startActs(t, { files: { 'd/a': 'a' }, longestAwaited: 1 })
  const { disk, parts } = acts
  hang(t, disk)
  void parts().trash.trash.howFor({ id: 1, name: 'ann' }).notePlace(dead)
  return acts
}

const [path, item] = [parsePath('/d/a'), 'a'.repeat(32)]

const looks: readonly [string, (files: UserFiles) => Promise<unknown>][] = [
  ['a removal', (files) => files.resuming.endRemoval(path, { version: '', isDir: false, item })],
  ['a restore or a removal for good', (files) => files.trash.isThere(item, ['/d'])],
  [
    'an undo',
    (files) => files.deeds.compareTrash([{ what: 'entry', at: path, isDir: false, trace: { identity: '', version: '' } }]),
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
