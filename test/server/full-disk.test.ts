// Disks that are really full: each call says so, loses nothing, and deleting for good is possible all the same.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { historyCalls } from '../support/history-calls.ts'
import { jobCalls } from '../support/job-calls.ts'
import { whileMounted, withoutMounts } from '../support/mounts.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { deleted, itemsOf, pathsOf, purge, restore } from '../support/trash-calls.ts'
import { harvestAll, plant, temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = {
  f: 'content of f',
  g: 'content of g',
  h: 'content of h',
  'd/x': 'content of x',
  'd/e/y': 'content of y',
  k: 'k'.repeat(9000),
}
const megabytes = 3

/** The options of `mount` for small disks of two kinds: one counts blocks and inodes, the other needs a block for each folder. */
const disks: Readonly<Record<string, (folder: string) => string[]>> = {
  tmpfs: () => ['-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=100`, 'none'],
  ext4: (folder) => {
    const image = join(folder, 'image')
    fs.writeFileSync(image, '')
    fs.truncateSync(image, megabytes * 2 ** 20)
    execFileSync('mkfs.ext4', ['-q', '-m', '0', '-N', '100', image])
    return ['-o', 'loop', image]
  },
}

/** Takes all space and all numbers for files that are left. @returns gives them back */
function fill(folder: string): () => void {
  const filler = join(folder, 'filler')
  fs.mkdirSync(filler)
  const big = fs.openSync(join(filler, 'big'), 'w')
  for (const size of [65_536, 4096, 512, 1]) untilFull(() => fs.writeSync(big, Buffer.alloc(size)))
  fs.closeSync(big)
  let made = 0
  untilFull(() => fs.writeFileSync(join(filler, `${made++}`), ''))
  return () => fs.rmSync(filler, { recursive: true })
}

function untilFull(write: () => void) {
  try {
    for (;;) write()
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
}

type Small = { app: TestApp; ann: PrincipalCalls; bob: PrincipalCalls; small: string; contents(): Promise<string[]> }

/** A server with a small disk at `/small`. */
function onSmallDisk(t: TestContext, kind: string, work: (small: Small) => Promise<void>) {
  return async () => {
    const app = await startApp(t, { users: { ann: {}, bob: {} } })
    const small = join(app.root, 'small')
    fs.mkdirSync(small)
    await whileMounted(small, disks[kind]?.(app.folder) ?? [], async () => {
      fs.rmSync(join(small, 'lost+found'), { recursive: true, force: true })
      await plant(small, files)
      const contents = async () =>
        Object.entries(await harvestAll(small))
          .filter(([path]) => !path.includes('/info/') && !path.startsWith('filler/') && !path.endsWith('/'))
          .map(([, text]) => String(text))
          .sort()
      const [ann, bob] = [await app.as('ann'), await app.as('bob')]
      await work({ app, ann, bob, small, contents })
    })
  }
}

const all = Object.values(files).sort()

/** Each call on a full disk is done, or refused as full. @returns whether it was done */
async function doneOrFull(answer: Response): Promise<boolean> {
  const text = await answer.text()
  assert.ok([200, 507].includes(answer.status), `${answer.status} ${text}`)
  if (answer.status === 507) assert.match(text, /no space is left/)
  return answer.status === 200
}

for (const kind of Object.keys(disks)) {
  describe(`a full disk (${kind})`, { skip: withoutMounts }, () => {
    test('refuses what needs space, and keeps every file once', async (t) => {
      await onSmallDisk(t, kind, async ({ ann, small, contents }) => {
        const empty = fill(small)
        const large = 'n'.repeat(100_000)
        assert.equal(await doneOrFull(await ann.upload('/small/f', large, 'override=true')), false)
        assert.equal(await doneOrFull(await ann.save('/small/g', large)), false)
        assert.equal(await doneOrFull(await ann.upload('/small/new', large)), false)
        assert.equal(await doneOrFull(await ann.copy('/small/k', '/small/copy')), false)
        assert.deepEqual(await contents(), all)
        for (const path of ['/small/f', '/small/d']) await doneOrFull(await ann.remove(path))
        await doneOrFull(await ann.move('/small/g', '/small/h', 'override=true'))
        assert.deepEqual(await contents(), all)
        empty()
        assert.deepEqual(await contents(), all)
      })()
    })

    test('lets jobs fail entry by entry, with the reason', async (t) => {
      await onSmallDisk(t, kind, async ({ ann, small, contents }) => {
        await ann.makeFolder('/small/to')
        fill(small)
        const jobs = jobCalls(ann)
        for (const what of ['copy', 'move', 'delete']) {
          const entries = ['/small/k', '/small/f', '/small/d']
          const { job } = await jobs.start({
            kind: what,
            entries,
            ...(what !== 'delete' && { to: '/small/to', taken: 'number' }),
          })
          const { done, failed, failures } = await jobs.reaches(job.id, 'ended')
          assert.equal(done + failed, 3)
          assert.ok(failures.every(({ code, message }) => code === 'full' && message.includes('no space is left')))
          if (what === 'copy') assert.ok(failed > 0, 'so that the test is meaningful')
          const left = (await contents()).filter((text, index, sorted) => what !== 'copy' || text !== sorted[index - 1])
          assert.deepEqual(left, all, what)
          // What was moved is moved back, so that the next job finds it.
          if (what === 'move') for (const name of ['k', 'f', 'd']) await ann.move(`/small/to/${name}`, `/small/${name}`)
          if (what === 'copy')
            for (const name of fs.readdirSync(join(small, 'to'))) fs.rmSync(join(small, 'to', name), { recursive: true })
        }
      })()
    })

    test('gives back what is in the trash, or leaves it there, and deletes for good', async (t) => {
      await onSmallDisk(t, kind, async ({ ann, small, contents }) => {
        const [file, folder, other] = [
          await deleted(ann, '/small/f'),
          await deleted(ann, '/small/d'),
          await deleted(ann, '/small/g'),
        ]
        fill(small)
        const { restored, failures } = await restore(ann, [file, folder])
        assert.equal(restored.length + failures.length, 2)
        assert.ok(failures.every(({ code }) => code === 'full'))
        assert.deepEqual(await contents(), all)
        // Nothing has gone to make room for it.
        assert.equal((await itemsOf(ann)).length, failures.length + 1)
        assert.equal((await purge(ann, { items: [other] })).purged, 1)
        assert.equal((await ann.ask('DELETE', '/api/resources/small/k?trash=false')).status, 200)
        assert.equal(fs.existsSync(join(small, 'k')), false)
        assert.equal(await doneOrFull(await ann.upload('/small/new', 'x'.repeat(5000))), true)
      })()
    })

    test('takes nothing of others that is younger than an hour', async (t) => {
      await onSmallDisk(t, kind, async ({ app, ann, bob, small }) => {
        fs.writeFileSync(join(small, 'own'), Buffer.alloc(200_000))
        fs.writeFileSync(join(small, 'large'), Buffer.alloc(300_000))
        await deleted(bob, '/small/large')
        await deleted(ann, '/small/own')
        fill(small)
        const body = 'n'.repeat(250_000)
        // What ann may take is not enough, so that nothing goes.
        assert.equal(await doneOrFull(await ann.upload('/small/new', body)), false)
        app.clock.advance({ minutes: 59 })
        assert.equal(await doneOrFull(await ann.upload('/small/new', body)), false)
        assert.deepEqual(
          [await pathsOf(bob), await pathsOf(ann)],
          [
            ['/small/large', '/small/own'],
            ['/small/large', '/small/own'],
          ],
        )
        app.clock.advance({ minutes: 2 })
        assert.equal(await doneOrFull(await ann.upload('/small/new', body)), true)
        assert.deepEqual(await pathsOf(bob), [])
        assert.equal(fs.readFileSync(join(small, 'new'), 'utf8'), body)
      })()
    })

    test('goes on by itself once the oldest of the trash has made room, and takes no more of it', async (t) => {
      await onSmallDisk(t, kind, async ({ app, ann, small }) => {
        const body = 'n'.repeat(1_200_000)
        fs.writeFileSync(join(app.root, 'other'), body)
        const half = (name: string) => fs.writeFileSync(join(small, name), Buffer.alloc(650_000))
        const isDone = async (answer: Promise<Response>) => doneOrFull(await answer)
        const ways: Readonly<Record<string, () => Promise<boolean>>> = {
          upload: () => isDone(ann.upload('/small/new', body)),
          'upload that replaces': () => isDone(ann.upload('/small/new', body, 'override=true')),
          copy: () => isDone(ann.copy('/other', '/small/new', 'override=true')),
          job: async () => {
            const { job } = await jobCalls(ann).start({ kind: 'copy', entries: ['/other'], to: '/small' })
            const { failures } = await jobCalls(ann).reaches(job.id, 'ended')
            if (failures.length > 0) return false
            fs.renameSync(join(small, 'other'), join(small, 'new'))
            return true
          },
          'move from another disk': () => isDone(ann.move('/other', '/small/new', 'override=true')),
        }
        for (const [way, go] of Object.entries(ways)) {
          await purge(ann, { all: true })
          fs.writeFileSync(join(small, 'new'), 'old')
          if (way === 'job' || way === 'upload') fs.rmSync(join(small, 'new'))
          for (const name of ['1', '2', '3']) {
            if (name === '3') fs.writeFileSync(join(small, name), 'small')
            else half(name)
            await deleted(ann, `/small/${name}`)
            app.clock.advance({ minutes: 1 })
          }
          const empty = fill(small)
          // A journal gives back what was removed when it is written, which may be after the server has given up: then somebody tries again.
          if (kind === 'tmpfs') assert.equal(await go(), true, way)
          else await until(go, way)
          assert.equal(fs.readFileSync(join(small, 'new'), 'utf8'), body, way)
          assert.ok((await pathsOf(ann)).includes('/small/3'), way)
          empty()
          fs.rmSync(join(small, 'new'))
        }
      })()
    })
  })
}

test('a full disk of the state refuses an undo, and nothing is lost', { skip: withoutMounts }, async (t) => {
  const beside = await temporaryFolder(t)
  await whileMounted(beside, ['-t', 'tmpfs', '-o', 'size=1m,nr_inodes=100', 'none'], async () => {
    const options = { database: join(beside, 'state.json') }
    const app = await startApp(t, { files: { a: 'a', b: 'b', 'd/c': 'c' }, options })
    const { act, list, undo } = historyCalls(app.url, await app.as('ann'))
    const ann = await app.as('ann')
    await act().remove('/a')
    const empty = fill(beside)
    assert.equal(await doneOrFull(await act().remove('/d')), true)
    assert.equal(await doneOrFull(await act().upload('/b', 'new', 'override=true')), true)
    for (const { id } of await list()) {
      const { status } = await undo(id)
      assert.ok([200, 409, 507].includes(status), `${status}`)
    }
    const everything = () => Promise.all([harvestAll(app.root), pathsOf(ann)])
    const texts = Object.entries((await everything())[0]).filter(([path]) => !path.includes('/info/'))
    assert.deepEqual(texts.map(([, text]) => text).sort(), ['a', 'b', 'c', 'new'])
    const { job } = await jobCalls(ann).start({ kind: 'delete', entries: ['/b'] })
    if (job.id !== undefined) await jobCalls(ann).reaches(job.id, 'ended')
    empty()
    const items = (await itemsOf(ann)).map(({ id }) => id)
    assert.deepEqual((await restore(ann, items, 'number')).failures, [])
    const after = Object.values(await harvestAll(app.root)).sort()
    assert.deepEqual(after, ['a', 'b', 'c', 'new'])
  })
})
