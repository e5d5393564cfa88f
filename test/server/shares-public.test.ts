// What whoever holds a public link sees and downloads.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { encoded } from '../support/as-principal.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { picture } from '../support/pictures.ts'
import { rawRequest } from '../support/raw-request.ts'
import { readZip } from '../support/read-zip.ts'
import { downloaded, readShare, share } from '../support/share-calls.ts'
import { type AppSetup, deny, startApp } from '../support/start-app.ts'

const files = {
  'home/trip/b.txt': 'b',
  'home/trip/sub/c.txt': 'c',
  'home/trip/private/p.txt': 'hidden',
  'home/trip-other/o.txt': 'other',
  'home/single.txt': 'single',
  'home/sibling.txt': 'sibling',
  'top.txt': 'top',
}
const gone = [404, '404 Not Found\n']

/** The links of a user whose scope is not the root, and for whom a part of the shared folder is blocked. */
async function shared(t: TestContext, path: string, setup: AppSetup = {}) {
  const users = { ann: { scope: '/home', rules: [deny('/trip/private')] } }
  const app = await startApp(t, { files, users, ...setup })
  const { hash } = await share(await app.as('ann'), path)
  const stranger = app.principal()
  return { app, hash, stranger, dl: (rest?: string) => downloaded(stranger, hash, rest) }
}

const namesOf = (resource: { items?: readonly { name: string }[] }) => (resource.items ?? []).map(({ name }) => name)

describe('a link to a file', () => {
  test('says its name, size and kind, and nothing of the folders above it', async (t) => {
    const { app, hash, stranger } = await shared(t, '/single.txt')
    const { modified: _, mode: __, ...found } = await readShare(stranger, hash)
    assert.deepEqual(found, {
      path: '/single.txt',
      name: 'single.txt',
      size: 6,
      extension: '.txt',
      isDir: false,
      isSymlink: false,
      type: 'textImmutable',
      hash,
      expire: 0,
      hasPassword: false,
    })
    assert.deepEqual(app.events, ['share'])
  })

  test('downloads it, whatever name stands after the hash', async (t) => {
    const { dl, stranger, hash } = await shared(t, '/single.txt')
    for (const rest of ['', '/', '/single.txt', '/any%20name', '/sibling.txt'])
      assert.deepEqual(await dl(rest), [200, 'single'], rest)
    for (const rest of ['/single.txt/x', '/trip/b.txt', '/a/b']) assert.deepEqual(await dl(rest), gone, rest)
    const answer = await stranger.ask('GET', `/api/public/dl/${hash}`)
    assert.match(answer.headers.get('Content-Disposition') ?? '', /^attachment; filename="single.txt"/)
  })

  test('shows none of its siblings, by any call', async (t) => {
    const { stranger, hash, app } = await shared(t, '/single.txt')
    for (const path of ['', '/', '/.', '/sibling.txt']) {
      const found = await readShare(stranger, hash, path)
      assert.deepEqual([found.name, found.items], ['single.txt', undefined], path)
    }
    for (const address of [
      `/api/public/search/${hash}?query=sibling`,
      `/api/public/search/${hash}?query=type:file`,
      `/api/public/dl/${hash}/trip/b.txt`,
    ])
      assert.equal((await stranger.ask('GET', address)).status, 404, address)
    const zipped = await stranger.ask('GET', `/api/public/dl/${hash}?algo=zip&files=sibling.txt,trip`)
    assert.equal(await zipped.text(), 'single')
    for (const rest of ['/../sibling.txt', '/..%2fsibling.txt', '/%2e%2e/sibling.txt', '/x/../../sibling.txt']) {
      const { status } = await rawRequest({ port: app.port, method: 'GET', address: `/api/public/dl/${hash}${rest}` })
      assert.ok(status === 400 || status === 404, `${rest}: ${status}`)
    }
  })

  test('answers ranges, conditions and HEAD', async (t) => {
    const { app, stranger, hash } = await shared(t, '/single.txt')
    const ask = (headers: Record<string, string>, method = 'GET') => stranger.ask(method, `/api/public/dl/${hash}`, { headers })
    const part = await ask({ Range: 'bytes=1-3' })
    assert.deepEqual([part.status, part.headers.get('Content-Range'), await part.text()], [206, 'bytes 1-3/6', 'ing'])
    assert.equal((await ask({ Range: 'bytes=9-' })).status, 416)
    const headers = { 'If-None-Match': part.headers.get('ETag') ?? '' }
    // fetch() adds a header that asks for a new answer.
    assert.equal((await rawRequest({ port: app.port, method: 'GET', address: `/api/public/dl/${hash}`, headers })).status, 304)
    const head = await ask({}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('Content-Length'), await head.text()], [200, '6', ''])
  })

  for (const name of nastyNames) {
    test(`downloads ${JSON.stringify(name)} under its name`, async (t) => {
      const app = await startApp(t, { files: { [name]: 'nasty', 'beside.txt': '' } })
      const { hash } = await share(await app.as('ann'), `/${name}`)
      const stranger = app.principal()
      assert.equal((await readShare(stranger, hash)).name, name)
      assert.deepEqual(await downloaded(stranger, hash), [200, 'nasty'])
      assert.deepEqual(await downloaded(stranger, hash, encoded(`/${name}`)), [200, 'nasty'])
    })
  }
})

describe('a link to a folder', () => {
  test('lists what its owner sees in it, by name', async (t) => {
    const { stranger, hash } = await shared(t, '/trip')
    const found = await readShare(stranger, hash)
    assert.deepEqual([found.path, found.name, found.isDir, namesOf(found)], ['/', 'trip', true, ['sub', 'b.txt']])
    assert.deepEqual(found.sorting, { by: 'name', asc: true })
    const below = await readShare(stranger, hash, '/sub')
    assert.deepEqual([below.path, below.items?.[0]?.path, namesOf(below)], ['/sub', '/sub/c.txt', ['c.txt']])
    const file = await readShare(stranger, hash, '/b.txt')
    assert.deepEqual([file.name, file.content], ['b.txt', undefined])
  })

  test('downloads what is inside, and the whole under its own name', async (t) => {
    const { dl, stranger, hash } = await shared(t, '/trip')
    assert.deepEqual(await dl('/b.txt'), [200, 'b'])
    assert.deepEqual(await dl('/sub/c.txt'), [200, 'c'])
    for (const rest of ['', '/', '/trip', '?algo=zip']) {
      const answer = await stranger.ask('GET', `/api/public/dl/${hash}${rest}`)
      assert.match(answer.headers.get('Content-Disposition') ?? '', /filename="trip.zip"/, rest)
      assert.deepEqual(zippedNames(await answer.bytes()), ['b.txt', 'sub/', 'sub/c.txt'], rest)
    }
    const chosen = await stranger.ask('GET', `/api/public/dl/${hash}/?files=b.txt,sub&algo=zip`)
    assert.match(chosen.headers.get('Content-Disposition') ?? '', /filename="_trip.zip"/)
    assert.deepEqual(zippedNames(await chosen.bytes()), ['b.txt', 'sub/', 'sub/c.txt'])
    const tar = await stranger.ask('GET', `/api/public/dl/${hash}/sub?algo=tar`)
    assert.match(tar.headers.get('Content-Disposition') ?? '', /filename="sub.tar"/)
    assert.equal((await stranger.ask('GET', `/api/public/dl/${hash}?algo=rar`)).status, 400)
  })

  test('has no way to what its owner may not see, nor out of it', async (t) => {
    const { app, dl, stranger, hash } = await shared(t, '/trip')
    symlinkSync('../single.txt', join(app.root, 'home/trip/out'))
    symlinkSync('private', join(app.root, 'home/trip/in'))
    symlinkSync('private/p.txt', join(app.root, 'home/trip/p'))
    for (const path of ['/private', '/private/p.txt', '/in/p.txt', '/p', '/out', '/none']) {
      assert.deepEqual(await dl(path), gone, path)
      assert.equal((await stranger.ask('GET', `/api/public/share/${hash}${path}`)).status, 404, path)
      assert.equal((await stranger.ask('GET', `/api/public/preview/thumb/${hash}${path}`)).status, 404, path)
      assert.equal((await stranger.ask('GET', `/api/public/dl/${hash}?files=${path.slice(1)}`)).status, 404, path)
    }
    for (const path of [
      '/../single.txt',
      '/..%2fsingle.txt',
      '/%2e%2e/trip-other/o.txt',
      '/sub/../../single.txt',
      '//../top.txt',
    ]) {
      const { status } = await rawRequest({ port: app.port, method: 'GET', address: `/api/public/dl/${hash}${path}` })
      assert.equal(status, 400, path)
    }
    for (const names of ['../single.txt', '%2e%2e%2fsingle.txt', '..%252fsingle.txt', '/../single.txt']) {
      const answer = await stranger.ask('GET', `/api/public/dl/${hash}?files=${names}`)
      assert.ok([400, 404].includes(answer.status), names)
    }
    assert.deepEqual(await dl('/..trip-other/o.txt'), gone)
    const whole = await stranger.ask('GET', `/api/public/dl/${hash}?algo=zip`)
    assert.doesNotMatch(zippedNames(await whole.bytes()).join(' '), /private|p\.txt|in\/|single/)
  })

  test('has the folder inside that has its own name', async (t) => {
    const app = await startApp(t, { files: { 'same/same/in.txt': '', 'same/out.txt': '' } })
    const { hash } = await share(await app.as('ann'), '/same')
    const answer = await app.principal().ask('GET', `/api/public/dl/${hash}/same`)
    assert.deepEqual(zippedNames(await answer.bytes()), ['in.txt'])
  })

  test('finds by name, below it alone and within the rules', async (t) => {
    const { stranger, hash } = await shared(t, '/trip')
    const found = async (rest: string) => {
      const answer = await stranger.ask('GET', `/api/public/search/${hash}${rest}`)
      return ((await answer.json()) as { path: string }[]).map(({ path }) => path)
    }
    assert.deepEqual(await found('?query=.txt'), ['b.txt', 'sub/c.txt'])
    assert.deepEqual(await found('/sub?query=c'), ['c.txt'])
    assert.deepEqual(await found('?query=single'), [])
    assert.deepEqual(await found('/private?query=p').catch(() => []), [])
    const lines = await stranger.ask('GET', `/api/public/search/${hash}?query=b.txt`, {
      headers: { Accept: 'application/x-ndjson' },
    })
    assert.equal((JSON.parse(await lines.text()) as { path: string }).path, 'b.txt')
  })

  test('may be the whole scope, whose name it does not say', async (t) => {
    const { stranger, hash } = await shared(t, '/')
    const found = await readShare(stranger, hash)
    assert.deepEqual([found.name, found.path], ['', '/'])
    assert.deepEqual(namesOf(found), ['trip', 'trip-other', 'sibling.txt', 'single.txt'])
    const answer = await stranger.ask('GET', `/api/public/dl/${hash}`)
    assert.match(answer.headers.get('Content-Disposition') ?? '', /filename="archive.zip"/)
    await answer.bytes()
    assert.equal((await stranger.ask('GET', `/api/public/share/${hash}/top.txt`)).status, 404)
  })

  test('shows pictures to the pages of other sites, and nothing else', async (t) => {
    const red = await picture('png', 40, 30)
    const { stranger, hash } = await shared(t, '/trip', {
      files: { ...files, 'home/trip/red.png': red, 'home/trip/x.svg': '<svg/>' },
    })
    const policyOf = async (rest: string) => {
      const answer = await stranger.ask('GET', `/api/public/${rest}`)
      await answer.bytes()
      return [answer.status, answer.headers.get('Cross-Origin-Resource-Policy'), answer.headers.get('X-Content-Type-Options')]
    }
    assert.deepEqual(await policyOf(`dl/${hash}/red.png?inline=true`), [200, 'cross-origin', 'nosniff'])
    assert.deepEqual(await policyOf(`preview/thumb/${hash}/red.png?inline=true`), [200, 'cross-origin', 'nosniff'])
    assert.deepEqual(await policyOf(`dl/${hash}/red.png`), [200, 'same-origin', 'nosniff'])
    assert.deepEqual(await policyOf(`dl/${hash}/b.txt?inline=true`), [200, 'same-origin', 'nosniff'])
    assert.deepEqual(await policyOf(`dl/${hash}/x.svg?inline=true`), [200, 'same-origin', 'nosniff'])
    const drawing = await stranger.ask('GET', `/api/public/dl/${hash}/x.svg?inline=true`)
    assert.equal(drawing.headers.get('Content-Type'), 'application/octet-stream')
    assert.equal((await stranger.ask('GET', `/api/public/preview/huge/${hash}/red.png`)).status, 400)
  })

  test('leaves out pipes, and does not wait for them', async (t) => {
    const { app, stranger, hash, dl } = await shared(t, '/trip')
    execFileSync('mkfifo', [join(app.root, 'home/trip/pipe')])
    assert.deepEqual(await dl('/pipe'), gone)
    const whole = await stranger.ask('GET', `/api/public/dl/${hash}?algo=zip`)
    assert.doesNotMatch(zippedNames(await whole.bytes()).join(' '), /pipe( |$)/)
  })
})

test('a link is for reading alone, also for those who are signed in and may change everything', async (t) => {
  const { app, hash } = await shared(t, '/trip', { users: { ann: { scope: '/home' }, root: { perm: allPermissions } } })
  const root = await app.as('root')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const kind of ['share', 'dl'])
      assert.equal((await root.ask(method, `/api/public/${kind}/${hash}/b.txt`)).status, 405, `${method} ${kind}`)
})

test('an address without a hash is not found', async (t) => {
  const { stranger } = await shared(t, '/trip')
  for (const address of ['/api/public/share', '/api/public/share/', '/api/public/dl', '/api/public/dl/', '/api/public/dl//b.txt'])
    assert.equal((await stranger.ask('GET', address)).status, 404, address)
})

function zippedNames(bytes: Uint8Array): string[] {
  return readZip([bytes])
    .entries.map(({ name }) => name)
    .sort()
}
