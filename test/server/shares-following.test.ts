// Links follow what they lead to, and end with it.
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { downloaded, share, sharesOf } from '../support/share-calls.ts'
import { deny, startApp } from '../support/start-app.ts'

const files = { 'd/b.txt': 'b', 'd/sub/c.txt': 'c', 'e/kept.txt': 'kept', 'other.txt': 'other' }
const gone = [404, '404 Not Found\n']

async function start(t: TestContext) {
  const app = await startApp(t, { files, users: { ann: {}, bob: {}, eve: { scope: '/d', rules: [deny('/hidden')] } } })
  const [ann, bob, eve] = [await app.as('ann'), await app.as('bob'), await app.as('eve')]
  const stranger = app.principal()
  return { app, ann, bob, eve, dl: (hash: string, rest?: string) => downloaded(stranger, hash, rest) }
}

describe('a link leads to the same file', () => {
  test('after it was saved and uploaded again, by anybody', async (t) => {
    const { ann, bob, dl } = await start(t)
    const { hash } = await share(ann, '/d/b.txt')
    assert.equal((await bob.save('/d/b.txt', 'saved')).status, 200)
    assert.deepEqual(await dl(hash), [200, 'saved'])
    assert.equal((await ann.upload('/d/b.txt', 'uploaded', 'override=true')).status, 200)
    assert.deepEqual(await dl(hash), [200, 'uploaded'])
  })

  test('at every moment while it is being saved', async (t) => {
    const { ann, dl } = await start(t)
    const { hash } = await share(ann, '/d/b.txt')
    let isSaving = true
    const saving = (async () => {
      for (let count = 0; count < 30; count++) await ann.save('/d/b.txt', `${count}`)
      isSaving = false
    })()
    while (isSaving) assert.equal((await dl(hash))[0], 200)
    await saving
    assert.deepEqual(await dl(hash), [200, '29'])
  })

  test('after a save through a folder that is a symbolic link', async (t) => {
    const { app, ann, dl } = await start(t)
    symlinkSync('d', join(app.root, 'linked'))
    const { hash } = await share(ann, '/d/b.txt')
    await ann.save('/linked/b.txt', 'saved')
    assert.deepEqual(await dl(hash), [200, 'saved'])
    assert.equal((await ann.move('/linked/b.txt', '/linked/moved.txt')).status, 200)
    assert.deepEqual(await dl(hash), [200, 'saved'])
    assert.deepEqual(
      (await sharesOf(ann)).map(({ path }) => path),
      ['/d/moved.txt'],
    )
  })

  test('after it was renamed, moved, and moved with the folders above it', async (t) => {
    const { ann, bob, dl } = await start(t)
    const { hash } = await share(ann, '/d/b.txt')
    for (const [from, to, now] of [
      ['/d/b.txt', '/d/renamed.txt', '/d/renamed.txt'],
      ['/d/renamed.txt', '/e/moved.txt', '/e/moved.txt'],
      ['/e', '/new/f', '/new/f/moved.txt'],
    ] as const) {
      assert.equal((await bob.move(from, to)).status, 200)
      assert.deepEqual(await dl(hash), [200, 'b'])
      assert.deepEqual(
        (await sharesOf(ann)).map(({ path, name }) => [path, name]),
        [[now, now.split('/').at(-1)]],
      )
    }
    await bob.upload('/d/b.txt', 'another')
    assert.deepEqual(await dl(hash), [200, 'b'])
  })

  test('and a folder, with everything in it', async (t) => {
    const { ann, dl } = await start(t)
    const [folder, inside] = [await share(ann, '/d'), await share(ann, '/d/sub')]
    assert.equal((await ann.move('/d', '/e/d2')).status, 200)
    assert.deepEqual(await dl(folder.hash, '/sub/c.txt'), [200, 'c'])
    assert.deepEqual(await dl(inside.hash, '/c.txt'), [200, 'c'])
  })

  test('also when it takes the place of another, whose link ends', async (t) => {
    const { ann, dl } = await start(t)
    const [moved, replaced] = [await share(ann, '/other.txt'), await share(ann, '/d/b.txt')]
    assert.equal((await ann.move('/other.txt', '/d/b.txt', 'override=true')).status, 200)
    assert.deepEqual(await dl(moved.hash), [200, 'other'])
    assert.deepEqual(await dl(replaced.hash), gone)
  })

  test('but nowhere outside the scope of its owner, and nowhere when rules block it there', async (t) => {
    const { ann, eve, dl } = await start(t)
    const { hash } = await share(eve, '/b.txt')
    await ann.move('/d/b.txt', '/b.txt')
    assert.deepEqual(await dl(hash), gone)
    await ann.move('/b.txt', '/d/hidden/b.txt')
    assert.deepEqual(await dl(hash), gone)
    await ann.move('/d/hidden/b.txt', '/d/back.txt')
    assert.deepEqual(await dl(hash), [200, 'b'])
  })
})

describe('a link ends', () => {
  for (const [what, removed] of [
    ['its file', '/d/b.txt'],
    ['a folder above it', '/d'],
  ] as const) {
    test(`when ${what} is deleted for good, by anybody`, async (t) => {
      const { app, ann, bob, dl } = await start(t)
      const [of, beside] = [await share(ann, '/d/b.txt'), await share(ann, '/other.txt')]
      assert.equal((await bob.ask('DELETE', `/api/resources${removed}?trash=false`)).status, 200)
      assert.deepEqual(await sharesOf(ann), [beside])
      await bob.upload('/d/b.txt', 'another')
      assert.deepEqual(await dl(of.hash), gone)
      assert.deepEqual(
        app.parts.state.data.links?.map(({ hash }) => hash),
        [beside.hash],
      )
    })
  }

  test('not when a symbolic link to its folder is deleted, or a deletion is refused', async (t) => {
    const { app, ann, eve, dl } = await start(t)
    symlinkSync('d', join(app.root, 'linked'))
    const { hash } = await share(ann, '/d/b.txt')
    assert.equal((await ann.remove('/linked')).status, 200)
    assert.deepEqual(await dl(hash), [200, 'b'])
    app.parts.events.before(({ kind }) => {
      if (kind === 'delete') throw new Error('refused')
    })
    assert.equal((await eve.remove('/b.txt')).status, 500)
    assert.deepEqual(await dl(hash), [200, 'b'])
  })

  test('when another file is copied over its own', async (t) => {
    const { ann, dl } = await start(t)
    const { hash } = await share(ann, '/d/b.txt')
    assert.equal((await ann.copy('/other.txt', '/d/b.txt', 'override=true')).status, 200)
    assert.deepEqual(await dl(hash), gone)
  })

  test('when its folder is merged into another, which it does not show', async (t) => {
    const { ann, dl } = await start(t)
    const { hash } = await share(ann, '/d')
    assert.equal((await ann.move('/d', '/e', 'override=true')).status, 200)
    assert.deepEqual(await dl(hash, '/kept.txt'), gone)
    assert.deepEqual(await dl(hash), gone)
  })
})

test('a file that took the name unnoticed is not made the shared one by a save', async (t) => {
  const { app, ann, dl } = await start(t)
  const { hash } = await share(ann, '/d/b.txt')
  await rename(join(app.root, 'd/b.txt'), join(app.root, 'away.txt'))
  await writeFile(join(app.root, 'd/b.txt'), 'another')
  await ann.save('/d/b.txt', 'another, saved')
  assert.deepEqual(await dl(hash), gone)
  await ann.move('/d/b.txt', '/d/x.txt')
  assert.deepEqual(await dl(hash), gone)
  await rm(join(app.root, 'd/x.txt'))
})
