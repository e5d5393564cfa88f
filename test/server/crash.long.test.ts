// kill -9 at random moments during sign-ins, sign-outs, uploads and changes of settings: everything acknowledged survives.
// HOLDALL_TEST_SEED repeats the random choices of a run, HOLDALL_TEST_CRASHES is the number of kills.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ClientLoad, type Method, password } from '../support/client-load.ts'
import { Ledger } from '../support/ledger.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { temporaryFolder } from '../support/start-state.ts'

const crashes = Number(process.env.HOLDALL_TEST_CRASHES ?? byScale({ usual: 24, long: 120, full: 2000 }))
/** Number of servers that run and are killed concurrently, each with its own folder and state. */
const servers = 2

test(`${crashes} kills at random moments lose nothing that was acknowledged (seed ${seed})`, {
  timeout: byScale({ usual: 5, long: 20, full: 240 }) * 60_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}: HOLDALL_TEST_SEED=${seed} repeats it`)
  const program = await findProgram()
  const all = Array.from({ length: servers }, (_, index) => new ServerUnderCrash(t, program, new SeededRandom(seed + index)))
  await Promise.all(all.map((server) => server.live(crashes / servers)))
  const sum = (count: (server: ServerUnderCrash) => number) => all.reduce((total, server) => total + count(server), 0)
  const done = {
    kills: sum((server) => server.kills),
    'during the start': sum((server) => server.killsInStart),
    'sign-ins': sum(({ ledger }) => ledger.sessions.size),
    'settings kept': sum(({ ledger }) => ledger.settingsKept),
    'with a password': sum(({ ledger }) => ledger.signInsByPassword),
    'sign-outs': sum(({ ledger }) => ledger.tokens('dead').length),
    uploads: sum(({ ledger }) => ledger.files.size),
    replacements: sum(({ ledger }) => ledger.files.get('same.bin') ?? 0),
    'uploads that were cut off': sum((server) => server.parts()),
  }
  t.diagnostic(JSON.stringify(done))
  assert.equal(done.kills, crashes)
  for (const [what, count] of Object.entries(done)) assert.ok(count > 0, `${what}: ${count}, so that the test is meaningful`)
})

/** One folder and state, on which servers are started and killed one after another. */
class ServerUnderCrash {
  readonly ledger: Ledger
  kills = 0
  killsInStart = 0
  readonly #program: readonly string[]
  readonly #random: SeededRandom
  readonly #folder: string
  readonly #t: TestContext
  /** Duration of the last start in ms. */
  #startTime = 500

  constructor(t: TestContext, program: readonly string[], random: SeededRandom) {
    this.#t = t
    this.#program = program
    this.#random = random
    this.#folder = temporaryFolder(t)
    this.ledger = new Ledger(join(this.#folder, 'files'), join(this.#folder, 'holdall.json'))
  }

  async live(rounds: number) {
    for (let round = 0; round < rounds; round += 1) {
      // The first start too, when there is no state and no administrator yet.
      if (round < 3 || this.#random.below(8) === 0) await this.#dieInStart()
      else await this.#dieAtWork(round % 4 === 0 ? 'password' : 'proxy')
      this.ledger.checkState()
      this.ledger.checkFiles()
    }
    await this.#lookAtAll()
  }

  parts() {
    return readdirSync(join(this.#folder, 'files')).filter((name) => name.endsWith('.part')).length
  }

  #spawn(method: Method): ChildProcess {
    const proxy = method === 'proxy' ? ['--auth-header', 'X-User', '--trusted-proxy', '127.0.0.1'] : []
    const env = { HOLDALL_ADMIN_PASSWORD: password }
    return startProgram(this.#t, { program: this.#program, folder: this.#folder, args: ['--log', 'warn', ...proxy], env })
  }

  async #dieInStart() {
    const child = this.#spawn('proxy')
    const started = listening(child).catch(() => undefined)
    await kill(child, this.#random.below(Math.ceil(this.#startTime)))
    this.kills += 1
    if ((await started) === undefined) this.killsInStart += 1
  }

  async #dieAtWork(method: Method) {
    const began = performance.now()
    const child = this.#spawn(method)
    const { url } = await listening(child)
    this.#startTime = performance.now() - began
    await this.#appearance(url, 5)
    const people = new ClientLoad({ ledger: this.ledger, url, method, random: this.#random })
    const working = Promise.allSettled([people.work()])
    await people.haveBegunEnough
    await kill(child, this.#random.below(method === 'password' ? 300 : 20))
    this.kills += 1
    for (const outcome of await working) if (outcome.status === 'rejected') throw outcome.reason
  }

  /** Checks some of the sessions by requests. */
  async #appearance(url: string, atMost = Number.POSITIVE_INFINITY) {
    for (const [fate, status] of [
      ['alive', 200],
      ['dead', 401],
    ] as const) {
      for (const token of this.ledger.tokens(fate).slice(-atMost)) {
        const answer = await fetch(`${url}/api/resources/`, { headers: { 'X-Auth': token } })
        await answer.arrayBuffer()
        assert.equal(answer.status, status, `a session that is ${fate}`)
      }
    }
  }

  async #lookAtAll() {
    const child = this.#spawn('password')
    const { url } = await listening(child)
    await this.#appearance(url)
    await kill(child, 0)
    this.ledger.checkState()
    this.ledger.checkFiles(true)
  }
}

async function kill(child: ChildProcess, milliseconds: number) {
  assert.equal(child.exitCode ?? child.signalCode, null, 'it runs until it is killed')
  const ended = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), milliseconds)
  const [code, signal] = await ended
  assert.deepEqual([code, signal], [null, 'SIGKILL'], 'it ended because it was killed')
}
