// kill -9 of the server, and ends of its client, at random moments of uploads: no success without the file, no second file, no
// acknowledged byte that is lost, and nothing left of what was removed. HOLDALL_TEST_SEED repeats the random choices of a run.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { asPrincipal } from '../support/as-principal.ts'
import { byScale, isLong, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { temporaryFolder } from '../support/start-state.ts'
import { checksum, told, tusCalls } from '../support/tus-calls.ts'

const kills = byScale({ usual: 3, long: 20, full: 200 })
const mebibyte = 1 << 20

/** What its client knows of one upload. */
type Sending = {
  path: string
  content: Buffer
  address: string | undefined
  acknowledged: number
  /** It is removed after so many bytes. */
  removedAt: number
  /** Whether its end was asked for: the answer may be lost. */
  isRemoved: boolean
}

test(`${kills} kills lose nothing of uploads that was acknowledged (seed ${seed})`, {
  timeout: byScale({ usual: 5, long: 10, full: 60 }) * 60_000,
}, async (t) => {
  const crash = new Crash(t, await findProgram())
  await crash.live()
  t.diagnostic(JSON.stringify(crash.counts))
  const { finished, cutByClient, goneOnWith, removed } = crash.counts
  assert.ok(finished > 0)
  if (isLong) for (const count of [cutByClient, goneOnWith, removed]) assert.ok(count > 0, 'the test is meaningful')
})

/** What ends a request in its middle. */
class ClientGone extends Error {}

/** Whether a connection was cut, by either: `fetch` says that with what caused it. A TypeError of this file has no cause. */
function isCut(error: unknown): boolean {
  if (error instanceof ClientGone || error instanceof DOMException) return true
  return error instanceof TypeError && error.cause !== undefined
}

class Crash {
  readonly counts = { kills: 0, finished: 0, removed: 0, cutByClient: 0, goneOnWith: 0, foundFinished: 0 }
  readonly #t: TestContext
  readonly #program: readonly string[]
  readonly #random = new SeededRandom(seed)
  readonly #folder: string
  readonly #hashes = new Map<string, string>()
  #token = ''
  #sending: Sending | undefined
  #made = 0

  constructor(t: TestContext, program: readonly string[]) {
    this.#t = t
    this.#program = program
    this.#folder = temporaryFolder(t)
  }

  async live() {
    while (this.counts.kills < kills) await this.#round(true)
    await this.#round(false)
    const names = readdirSync(join(this.#folder, 'files'))
    assert.deepEqual(names.toSorted(), [...this.#hashes.keys()].toSorted(), 'nothing but the files')
    for (const [name, hash] of this.#hashes) assert.equal(sha256(readFileSync(join(this.#folder, 'files', name))), hash, name)
  }

  /** One run of the server, which is killed or sends all that is left. */
  async #round(isKilled: boolean) {
    const args = ['--log', 'warn', '--auth-header', 'X-User', '--trusted-proxy', '127.0.0.1']
    const env = { HOLDALL_ADMIN_PASSWORD: 'correct horse battery staple' }
    const child = startProgram(this.#t, { program: this.#program, folder: this.#folder, args, env })
    const { url } = await listening(child)
    this.#token ||= await (await fetch(`${url}/api/login`, { method: 'POST', headers: { 'X-User': 'admin' } })).text()
    const ended = isKilled ? killed(child, this.#random.below(1200)) : undefined
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    const tus = tusCalls(asPrincipal(url, this.#token))
    do {
      try {
        await this.#send(tus)
      } catch (error) {
        if (!isCut(error)) throw error
      }
    } while (isKilled ? !isOver() : this.#sending !== undefined)
    if (ended) this.counts.kills++
    await (ended ?? killed(child, 0))
  }

  /** Goes on with an upload to its end. */
  async #send(tus: ReturnType<typeof tusCalls>) {
    this.#sending ??= this.#next()
    const sending = this.#sending
    const { path, content } = sending
    if (sending.address === undefined) {
      const created = await tus.create(path, content.length)
      assert.equal(created.status, 201, await created.text())
      sending.address = created.headers.get('location') ?? ''
    }
    if (sending.isRemoved) return this.#remove(tus, sending)
    const head = await tus.head(sending.address)
    const { status, offset = 0 } = told(head)
    assert.equal(status, 200, `${path} after ${sending.acknowledged} bytes`)
    assert.ok(offset >= sending.acknowledged, `${offset} of ${sending.acknowledged} bytes`)
    if (offset > 0) this.counts.goneOnWith++
    if (offset === content.length) {
      this.counts.foundFinished++
      return this.#finished(sending)
    }
    for (let at = offset; at < content.length; ) {
      if (at >= sending.removedAt) return this.#remove(tus, sending)
      const piece = content.subarray(at, at + mebibyte)
      const headers = this.#random.below(2) === 0 ? checksum(piece) : {}
      const answer: Response =
        this.#random.below(6) === 0 ? await this.#cut(tus, sending, piece) : await tus.patch(sending.address, at, piece, headers)
      assert.deepEqual(told(answer), { status: 204, offset: at + piece.length }, await answer.text())
      at += piece.length
      sending.acknowledged = at
    }
    this.#finished(sending)
  }

  /** Ends a request in its middle. */
  #cut(tus: ReturnType<typeof tusCalls>, { address = '', acknowledged }: Sending, piece: Buffer): Promise<Response> {
    this.counts.cutByClient++
    async function* half() {
      yield piece.subarray(0, piece.length / 2)
      throw new ClientGone()
    }
    return tus.patch(address, acknowledged, Readable.toWeb(Readable.from(half())) as ReadableStream<Uint8Array>)
  }

  async #remove(tus: ReturnType<typeof tusCalls>, sending: Sending) {
    const { path, address = '', isRemoved } = sending
    sending.isRemoved = true
    const { status } = await tus.end(address)
    assert.ok(status === 204 || (isRemoved && status === 404), `${status}`)
    assert.equal((await tus.head(address)).status, 404)
    assert.ok(!existsSync(join(this.#folder, 'files', path)), 'it got no name')
    this.counts.removed++
    this.#sending = undefined
  }

  #next(): Sending {
    const content = Buffer.alloc(4 * mebibyte + this.#random.below(mebibyte), `${seed}-${this.#made}-`)
    const removedAt = this.#random.below(4) === 0 ? mebibyte : Number.POSITIVE_INFINITY
    return { path: `/${this.#made++}`, content, address: undefined, acknowledged: 0, removedAt, isRemoved: false }
  }

  #finished({ path, content }: Sending) {
    this.counts.finished++
    this.#hashes.set(path.slice(1), sha256(content))
    assert.equal(sha256(readFileSync(join(this.#folder, 'files', path))), sha256(content), path)
    this.#sending = undefined
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function killed(child: ChildProcess, milliseconds: number) {
  const ended = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), milliseconds)
  const [code, signal] = await ended
  assert.deepEqual([code, signal], [null, 'SIGKILL'], 'it ended because it was killed')
}
