// The server is killed at each call that changes something, of the disk or of what is kept of uploads: after its start nothing that was
// acknowledged is missing, and the file is there once.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { isAsSealed, isPlaceholder, versionOf } from '../../src-server/disk/version.ts'
import type { UploadStore } from '../../src-server/state/upload-store.ts'
import { PieceBody } from '../../src-server/uploads/piece-body.ts'
import type { Upload } from '../../src-server/uploads/upload.ts'
import { body } from '../support/capabilities.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { nothingProtected } from '../support/open-disk.ts'
import { pieceOf, startUploads } from '../support/start-uploads.ts'
import { harvest, plant, temporaryFolder } from '../support/tree.ts'

/** Lets calls act until one of them, and none from that one on. */
class Kill {
  steps = 0
  #at = Number.POSITIVE_INFINITY

  /** @param step counted from now on */
  at(step: number) {
    this.steps = 0
    this.#at = step
  }

  get hasCome() {
    return this.steps > this.#at
  }

  around<T extends object>(thing: T): T {
    return new Proxy(thing, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function' || name === 'close') return value
        // Of the store: one that is killed while it opens has not begun.
        if (name === 'open' && value.length === 0) return value.bind(target)
        return async (...asked: unknown[]) => {
          if (this.steps++ >= this.#at) throw Object.assign(new Error('killed'), { code: 'EIO', syscall: String(name) })
          return value.apply(target, asked)
        }
      },
    })
  }
}

const refused = () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' }))
const systems: Readonly<Record<string, DiskSystem>> = {
  'with hard links': diskSystem,
  'without hard links': { ...diskSystem, link: refused },
}

type Run = Readonly<{ system: DiskSystem; replaces: boolean; hasChecksums: boolean }>

async function start(t: TestContext, { system, replaces }: Run) {
  const root = await temporaryFolder(t)
  const people = await startUploads(t)
  const startServer = async (kill = new Kill()) => {
    const disk = await openLocalDisk({ ...opening(root), system: kill.around(system) })
    const server = await people.open(disk, { store: (store) => kill.around(store) })
    // What a killed server has open is closed by the system.
    const end = async () => {
      await server.uploads.close()
      await disk.close()
    }
    return { ...server, end }
  }
  /** Nothing is there but what may be replaced. */
  const reset = async () => {
    for (const name of fs.readdirSync(root)) fs.rmSync(join(root, name), { recursive: true })
    fs.rmSync(`${people.state.file}.uploads`, { recursive: true, force: true })
    if (replaces) await plant(root, { a: 'old' })
  }
  return { ...people, root, startServer, reset }
}

const opening = (root: string) => ({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [] })

const pieces = ['abc', 'def'] as const

const pieceAt = (offset: number, text: string, hasChecksum: boolean) => {
  const digest = createHash('sha256').update(text).digest()
  return pieceOf({ offset, body: new PieceBody(body(text), hasChecksum ? { algorithm: 'sha256', digest } : undefined) })
}

type Server = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['startServer']>>
type Asking = Awaited<ReturnType<typeof start>>['asker']

/** Sends what is missing. @returns what was acknowledged: bytes, and that the file has its name */
async function send({ begin, uploads }: Pick<Server, 'begin' | 'uploads'>, asker: Asking, { replaces, hasChecksums }: Run) {
  const said = { hasBegun: false, offset: 0, isFinished: false }
  try {
    const upload: Upload = uploads.of(asker())[0] ?? (await begin('/a', { length: 6, override: replaces }))
    said.hasBegun = true
    await upload.look(asker())
    said.offset = upload.record.offset
    for (const [index, text] of pieces.entries()) {
      if (upload.isFinished || upload.record.offset > index * 3) continue
      await upload.receive(asker(), pieceAt(index * 3, text, hasChecksums))
      said.offset = upload.record.offset
    }
    said.isFinished = upload.isFinished
  } catch (error) {
    // What is not as it was killed is no answer of a server that goes on.
    assert.match(String((error as Error).message), /killed|simulated|^$/)
  }
  return said
}

for (const [which, system] of Object.entries(systems)) {
  for (const replaces of [false, true]) {
    test(`nothing is lost and nothing comes twice, ${which}, ${replaces ? 'over another file' : 'under a new name'}`, async (t) => {
      const run: Run = { system, replaces, hasChecksums: replaces }
      const { root, startServer, reset, asker } = await start(t, run)
      for (let step = 0, isDone = false; !isDone; step++) {
        await reset()
        const kill = new Kill()
        const killed = await startServer(kill)
        kill.at(step)
        const said = await send(killed, asker, run)
        isDone = !kill.hasCome
        await killed.end()
        // Again, at a later step of the first start after it.
        const again = new Kill()
        const second = await startServer(again)
        again.at(step % 7)
        const saidAgain = await send(second, asker, run)
        await second.end()
        const next = await startServer()
        const what = `killed at step ${step}, then at ${step % 7}`
        const [left] = next.uploads.of(asker())
        if (said.hasBegun) assert.ok(left, what)
        const offset = Math.max(said.offset, saidAgain.offset)
        if (left) assert.ok(left.record.offset >= offset, `${left.record.offset} of ${offset} bytes, ${what}`)
        if (said.isFinished || saidAgain.isFinished) assert.deepEqual(await harvest(root), { a: 'abcdef' }, what)
        // The old file is there until the new one is.
        if (replaces) assert.ok(['old', 'abcdef'].includes(fs.readFileSync(join(root, 'a'), 'utf8')), what)
        assert.deepEqual(await send(next, asker, run), { hasBegun: true, offset: 6, isFinished: true }, what)
        assert.deepEqual(await harvest(root), { a: 'abcdef' }, what)
        await next.end()
      }
    })
  }
}

for (const survives of ['nothing', 'names'] as const) {
  test(`after a power cut all bytes that are noted are there (${survives} unsynced stays)`, async (t) => {
    const run: Run = { system: diskSystem, replaces: false, hasChecksums: false }
    for (let step = 0, isDone = false; !isDone; step++) {
      const { root, asker, open } = await start(t, run)
      const faulty = new FaultyDisk(root)
      faulty.crashAt(step)
      const disk = await openLocalDisk({ ...opening(root), system: faulty.system })
      const store = (inner: UploadStore): UploadStore => ({
        open: () => inner.open(),
        set: (record) => (faulty.calls.length > step ? Promise.reject(new Error('killed')) : inner.set(record)),
        remove: (id) => inner.remove(id),
      })
      const server = await open(disk, { store })
      const said = await send(server, asker, run)
      isDone = faulty.calls.length <= step
      await server.uploads.close()
      await disk.close()
      const left = await temporaryFolder(t)
      faulty.afterPowerCut(left, survives)
      faulty.close()
      const [content = ''] = Object.values(await harvest(left)).filter((text) => text !== '')
      const offset = server.uploads.of(asker())[0]?.record.offset ?? 0
      assert.ok(offset >= said.offset && String(content).startsWith('abcdef'.slice(0, offset)), `step ${step}: ${offset} bytes`)
      if (said.isFinished) assert.deepEqual(await harvest(left), { a: 'abcdef' })
    }
  })
}

test('a file that was changed before the server knew that it has its name is no success, and stays as it is', async (t) => {
  const run: Run = { system: diskSystem, replaces: false, hasChecksums: false }
  const { root, startServer, reset, asker } = await start(t, run)
  let found = 0
  for (let step = 0, isDone = false; !isDone; step++) {
    await reset()
    const kill = new Kill()
    const killed = await startServer(kill)
    kill.at(step)
    await send(killed, asker, run)
    isDone = !kill.hasCome
    await killed.end()
    const names = fs.readdirSync(root)
    if (isDone || names.length !== 1 || names[0] !== 'a') continue
    found++
    fs.rmSync(join(root, 'a'))
    fs.writeFileSync(join(root, 'a'), 'theirs')
    const next = await startServer()
    const [left] = next.uploads.of(asker())
    await assert.rejects(left?.look(asker()) ?? assert.fail('it is known'), { code: 'gone' })
    assert.deepEqual(await harvest(root), { a: 'theirs' })
    await next.end()
  }
  assert.ok(found > 0, 'no step between the name and the note of it')
})

test('an empty file that somebody else has made is taken for none of ours after a refusal', async (t) => {
  const run: Run = { system: diskSystem, replaces: false, hasChecksums: false }
  const { root, startServer, reset, asker, events } = await start(t, run)
  await reset()
  const first = await startServer()
  const upload = await first.begin('/a', { length: 6 })
  await upload.receive(asker(), pieceAt(0, 'abc', false))
  const isSealed = () => upload.record.sealed !== undefined
  // After the look at the name, and before the version is known: nothing else sees it but the name itself.
  events.before(() => fs.writeFileSync(join(root, 'a'), ''))
  await assert.rejects(upload.receive(asker(), pieceAt(3, 'def', false)), { code: 'conflict' })
  assert.equal(isSealed(), true)
  await first.end()
  const next = await startServer()
  const [left] = next.uploads.of(asker())
  assert.ok(left)
  await assert.rejects(left.look(asker()), { code: 'conflict' })
  assert.equal(fs.readFileSync(join(root, 'a'), 'utf8'), '')
  // Nor under another name that the person chooses.
  fs.writeFileSync(join(root, 'b'), '')
  await assert.rejects(left.rename(asker(), { name: 'b', override: false }), { code: 'conflict' })
  await left.rename(asker(), { name: 'c', override: false })
  assert.deepEqual(await harvest(root), { a: '', b: '', c: 'abcdef' })
  await next.end()
})

test('an empty file that somebody else has made after a kill stays', async (t) => {
  const run: Run = { system: diskSystem, replaces: false, hasChecksums: false }
  const { root, startServer, reset, asker } = await start(t, run)
  let found = 0
  for (let step = 0, isDone = false; !isDone; step++) {
    await reset()
    const kill = new Kill()
    const killed = await startServer(kill)
    kill.at(step)
    await send(killed, asker, run)
    isDone = !kill.hasCome
    const [sealed] = killed.uploads.of(asker())
    await killed.end()
    if (isDone || sealed?.record.sealed === undefined || fs.existsSync(join(root, 'a'))) continue
    found++
    fs.writeFileSync(join(root, 'a'), '', { mode: 0o644 })
    const next = await startServer()
    const [left] = next.uploads.of(asker())
    await assert.rejects(left?.look(asker()) ?? assert.fail('it is known'), { code: 'conflict' })
    assert.equal(fs.readFileSync(join(root, 'a'), 'utf8'), '')
    await next.end()
  }
  assert.ok(found > 0, 'no step between the note of the version and the name')
})

test('a file with two names is never written to', async (t) => {
  const run: Run = { system: diskSystem, replaces: false, hasChecksums: false }
  const { root, startServer, reset, asker } = await start(t, run)
  await reset()
  const { begin, end } = await startServer()
  const upload = await begin('/a', { length: 6 })
  await upload.receive(asker(), pieceAt(0, 'abc', false))
  // As a backup by hard links.
  fs.linkSync(join(root, fs.readdirSync(root)[0] ?? ''), join(root, 'copy'))
  await assert.rejects(upload.receive(asker(), pieceAt(3, 'def', false)), { code: 'gone' })
  await upload.remove()
  assert.deepEqual(await harvest(root), { copy: 'abc' })
  await end()
})

test('where inodes have no lasting numbers, time and size tell the file, rounded as such disks do', () => {
  const second = 1_000_000_000n
  const [modified, size] = [1_700_000_000n * second + 123n, 6]
  const sealed = ((modified << 64n) | BigInt(size)).toString(16)
  const entry = (time: bigint, bytes = size) => {
    return { version: ((time << 64n) | BigInt(bytes)).toString(16), modified: time, size: bytes, mode: 0o600 }
  }
  for (const time of [modified, modified - 123n, modified - 2n * second, modified + 2n * second])
    assert.ok(isAsSealed(entry(time), sealed))
  for (const other of [entry(modified - 3n * second), entry(modified + 3n * second), entry(modified, 7)])
    assert.equal(isAsSealed(other, sealed), false)
  // With a number there is nothing to be rounded.
  const numbered = (time: bigint) =>
    versionOf({ mtimeNs: time, size: 6n, ino: 99n, dev: fs.statSync('/tmp', { bigint: true }).dev })
  assert.ok(isAsSealed({ ...entry(modified), version: numbered(modified) }, numbered(modified)))
  assert.equal(isAsSealed({ ...entry(modified - 1n), version: numbered(modified - 1n) }, numbered(modified)), false)
  for (const version of [sealed, numbered(modified)]) {
    assert.ok(isPlaceholder(entry(modified + second, 0), version))
    assert.equal(isPlaceholder(entry(modified - 3n * second, 0), version), false)
    assert.equal(isPlaceholder(entry(modified + second, 1), version), false)
  }
  // What anybody else makes has another mode. Where numbers do not last there may be none.
  const others = { ...entry(modified + second, 0), mode: 0o100644 }
  assert.deepEqual([isPlaceholder(others, numbered(modified)), isPlaceholder(others, sealed)], [false, true])
  assert.equal(isAsSealed(entry(modified), 'no version'), false)
})
