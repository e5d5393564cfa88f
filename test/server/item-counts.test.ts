// How many entries the folders in a folder have, for their rows.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import { countLimits } from '../../src-server/files/folder-sizes.ts'
import { capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { byScale } from '../support/scale.ts'
import { only, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const app = await startApp(
  { after },
  {
    files: {
      'trip/a.jpg': '',
      'trip/secret/b.jpg': '',
      'a, b%2F😀/x': '',
      'secret/x': '',
      'file.txt': '',
      'empty/': '',
      link: { link: 'trip' },
    },
    users: { ann: {}, bare: { perm: only() }, ruled: { rules: [deny('/trip/secret'), deny('/secret')] } },
  },
)

function deny(path: string) {
  return { allow: false, path, regex: false, regexp: { raw: '' } }
}

const ask = async (user: string, folder: string, ...names: string[]) => {
  const list = names.map((name) => encodeURIComponent(encodeURIComponent(name))).join(',')
  return (await app.as(user)).ask('GET', `/api/counts${folder}?names=${list}`)
}

/** `name: items` for each. */
const counted = async (user: string, folder: string, ...names: string[]) => {
  const answer = await ask(user, folder, ...names)
  assert.equal(answer.status, 200)
  const { counts } = (await answer.json()) as { counts: { name: string; items: number; hasMore: boolean }[] }
  return Object.fromEntries(counts.map(({ name, items, hasMore }) => [name, `${items}${hasMore ? '+' : ''}`]))
}

/** Waits for the counts: a busy machine may take longer than a call may. */
const areCounted = (expected: Record<string, string>, user: string, folder: string, ...names: string[]) =>
  until(async () => isDeepStrictEqual(await counted(user, folder, ...names), expected), JSON.stringify(expected))

test('the entries of the named folders are counted; files, links and missing names are left out', async () => {
  const all = { trip: '2', 'a, b%2F😀': '1', empty: '0' }
  await areCounted(all, 'bare', '/', 'trip', 'a, b%2F😀', 'empty', 'file.txt', 'link', 'none')
  await areCounted({ secret: '1' }, 'ann', '/trip/', 'secret')
  assert.deepEqual(await counted('ann', '/'), {})
})

test('what the rules hide is not counted', async () => {
  await areCounted({ trip: '1' }, 'ruled', '/', 'trip', 'secret')
  assert.deepEqual(await counted('ruled', '/trip/', 'secret'), {})
  assert.equal((await ask('ruled', '/secret/', 'x')).status, 403)
})

test('reserved names and protected files are not counted', async () => {
  await writeFile(join(app.root, 'trip', `.holdall-${'0'.repeat(32)}.part`), '')
  await mkdir(join(app.root, 'trip/.holdall-trash/files'), { recursive: true })
  const { items } = await (await app.as('ann')).read('/trip')
  await areCounted({ trip: String(items?.length) }, 'ann', '/', 'trip')
  assert.deepEqual(await counted('ann', '/trip/', '.holdall-trash'), {})
})

test('names that lead elsewhere, and too many, are refused', async () => {
  for (const name of ['a/b', '..', '.', '../x']) assert.equal((await ask('ann', '/', name)).status, 400, name)
  const many = Array.from({ length: countLimits.names + 1 }, (_, index) => `n${index}`)
  assert.equal((await ask('ann', '/', ...many)).status, 400)
  assert.equal((await ask('ann', '/none/', 'x')).status, 404)
})

const entries = byScale({ usual: 20_000, long: 100_000 })

test(`a folder of ${entries.toLocaleString('en')} entries is counted up to ten thousand, and delays no listing`, {
  timeout: 300_000,
}, async () => {
  const large = join(app.root, 'large')
  await mkdir(large)
  for (let from = 0; from < entries; from += 1000)
    await Promise.all(Array.from({ length: 1000 }, (_, index) => mkdir(join(large, `d${from + index}`))))
  const bare = await app.as('bare')
  await until(async () => {
    const counting = counted('ann', '/', 'large', 'trip')
    assert.equal((await bare.read('/trip')).items?.length, 2, 'listed meanwhile')
    const counts = await counting
    for (const [name, items] of Object.entries(counts)) assert.equal(items, { large: '10000+', trip: '2' }[name])
    // A busy machine may take longer than a call may.
    return Object.keys(counts).length === 2
  }, 'both are counted')
})

const { now: _, ...pooled } = descriptorStrategy

test('folders that never answer hold no request, and use few threads however many they are', async (t) => {
  const answer = Promise.withResolvers<void>()
  let hung = 0
  const openPath = async (address: string | Buffer) => {
    if (String(address).includes('/hung')) {
      hung++
      await answer.promise
    }
    return descriptorStrategy.openPath(address)
  }
  const names = Array.from({ length: 50 }, (_, index) => `hung${index}`)
  const { disk } = await openDisk(t, {
    files: { ...Object.fromEntries(names.map((name) => [`${name}/f`, ''])), 'ok/f': '' },
    options: () => ({ strategy: { ...pooled, openPath } }),
  })
  for (let round = 0; round < 10; round++) {
    const found: string[] = []
    const abort = new AbortController()
    const onCounted = (name: string) => found.push(name)
    const how = { names: [...names, 'ok'], most: 10, onCounted, signal: abort.signal }
    const counting = disk.countItems(capability('read', '/'), how)
    if (round === 0) await until(() => hung === 2, 'two folders are opened')
    abort.abort(new Error('nobody waits for it'))
    await assert.rejects(counting, /nobody waits for it/)
    assert.deepEqual(found, [])
  }
  assert.equal((await disk.list(capability('read', '/ok'))).length, 1)
  assert.equal(hung, 2)
  answer.resolve()
})
