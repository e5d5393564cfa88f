// Replacing a folder by a link during other calls does not lead out of the scope.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { body, capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { insideText, makeRaceFolders, type Outcome, type Racer, race } from '../support/race.ts'
import { byScale } from '../support/scale.ts'
import { startApp } from '../support/start-app.ts'
import { plant } from '../support/tree.ts'

/** A race takes minutes. */
const timeout = byScale({ usual: 6, long: 26, full: 241 }) * 60_000

const addOnly = { replace: false }
const replacing = { replace: true }

test('while a process replaces folders by links, no call of the disk leaves the root', { timeout }, async (t) => {
  const { disk, root, outside } = await openDisk(t)
  const folders = { root, outside }
  await makeRaceFolders(folders)

  const read = (path: string) => async () => {
    const file = await disk.open(capability('download', path))
    try {
      assert.equal(await text(file.read()), insideText)
    } finally {
      await file.close()
    }
  }
  const list = async () => {
    const entries = await disk.list(capability('read', '/d'))
    assert.equal(
      entries.some(({ name }) => name === 'secret'),
      false,
    )
  }
  const write = async (round: number) => {
    await disk.write(capability('create', `/d/w${round % 16}`), body(insideText), replacing)
  }
  const make = async (round: number) => {
    await disk.makeFolder(capability('create', `/d/m${round}`))
  }
  const removeMade = async (round: number) => {
    for (const entry of await disk.list(capability('read', '/d'))) {
      if (entry.isDir && entry.name.startsWith('m')) return disk.remove(capability('delete', entry.path))
    }
    throw new Failure('notFound', `nothing to remove in round ${round}`)
  }
  const move = async (round: number) => {
    const [from, to] = round % 2 === 0 ? ['/d/old', '/d/to/old'] : ['/d/to/old', '/d/old']
    await disk.move(capability('rename', from), capability('rename', to), addOnly)
  }
  const racers: Racer[] = [
    refusing('read in a folder', read('/d/f')),
    refusing('read a file', read('/file')),
    refusing('list', list),
    refusing('write', write),
    refusing('make a folder', make),
    refusing('remove', removeMade),
    refusing('move', move),
  ]
  t.diagnostic(JSON.stringify(await race(folders, racers)))
})

test('while a process replaces folders by links, no call over HTTP leaves the root', { timeout }, async (t) => {
  const app = await startApp(t)
  const folders = { root: app.root, outside: join(app.folder, 'outside') }
  await mkdir(folders.outside)
  await makeRaceFolders(folders)
  const ann = await app.as('ann')
  const reads = async (path: string) => {
    const answer = await ann.raw(path)
    const text = await answer.text()
    if (answer.ok) assert.equal(text, insideText)
    return answer
  }
  const changes = async (answer: Promise<Response>) => {
    await (await answer).arrayBuffer()
    return answer
  }
  const lists = async () => {
    const answer = await ann.get('/d')
    assert.doesNotMatch(await answer.text(), /secret/)
    return answer
  }
  const racers: Racer[] = [
    answering('read in a folder', () => reads('/d/f')),
    answering('read a file', () => reads('/file')),
    answering('list', lists),
    answering('upload', (round) => changes(ann.upload(`/d/w${moved(round)}`, insideText, 'override=true'))),
    answering('save', () => changes(ann.save('/d/f', insideText))),
    answering('make and upload', (round) => changes(ann.upload(`/d/n${round % 8}/deep/f`, insideText, 'override=true'))),
    answering('copy', (round) => changes(ann.copy('/d/old', `/d/c${round % 16}`, 'override=true'))),
    answering('copy in', (round) => changes(ann.copy('/safe', `/d/s${round % 16}`, 'override=true'))),
    // Moves files that uploads create again: a file in a folder that was made in place of the original is lost with it.
    answering('move', (round) => changes(ann.move(`/d/w${moved(round)}`, `/d/v${moved(round)}`, 'override=true'))),
    // Busy while something is uploaded into the folder.
    answering('remove', (round) => changes(ann.remove(`/d/n${round % 8}`)), [503]),
  ]
  await plant(folders.root, { safe: insideText })
  t.diagnostic(JSON.stringify(await race(folders, racers)))
})

test('the race detects a server that checks first and opens later', { timeout }, async (t) => {
  const { root, outside } = await openDisk(t)
  await makeRaceFolders({ root, outside })
  const careless = async (): Promise<Outcome> => {
    try {
      if (!(await realpath(join(root, 'd/f'))).startsWith(root)) return 'refused'
      assert.equal(await readFile(join(root, 'd/f'), 'utf8'), insideText)
      return 'done'
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return 'refused'
    }
  }
  await assert.rejects(race({ root, outside }, [{ name: 'careless', run: careless }]), assert.AssertionError)
})

/** The name changes every ten rounds: uploads and moves meet at four names. */
function moved(round: number) {
  return Math.floor(round / 10) % 4
}

/** A racer over HTTP: other answers below 500 are refusals, and so are some from 500 on. Any other fails the test. */
function answering(name: string, ask: (round: number) => Promise<Response>, refusals: readonly number[] = []): Racer {
  const run = async (round: number): Promise<Outcome> => {
    const answer = await ask(round)
    assert.ok(answer.status < 500 || refusals.includes(answer.status), `${name}: ${answer.status}`)
    return answer.ok ? 'done' : 'refused'
  }
  return { name, run }
}

/** A racer on the disk: a Failure is a refusal, any other error fails the test. */
function refusing(name: string, work: (round: number) => Promise<void>): Racer {
  const run = async (round: number): Promise<Outcome> => {
    try {
      await work(round)
      return 'done'
    } catch (error) {
      if (error instanceof Failure) return 'refused'
      throw error
    }
  }
  return { name, run }
}
