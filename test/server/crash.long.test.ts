// kill -9 at random moments while people sign in, sign out and upload: after every restart what was acknowledged is there.
// HOLDALL_TEST_CRASH_SEED repeats a run's choices, HOLDALL_TEST_CRASHES says how many.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeBundle } from '../../scripts/bundle.ts'
import { Ledger } from '../support/ledger.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { stampedFile } from '../support/stamped-file.ts'
import { listening } from '../support/start-executable.ts'
import { temporaryFolder } from '../support/start-state.ts'

const seed = Number(process.env.HOLDALL_TEST_CRASH_SEED ?? Date.now() % 2 ** 31)
const crashes = Number(process.env.HOLDALL_TEST_CRASHES ?? 200)
/** Servers that are killed side by side, each with a folder and a state of its own. */
const houses = 2
const password = 'a long and easy password'

test(`${crashes} kills at random moments lose nothing that was acknowledged (seed ${seed})`, {
  timeout: 20 * 60_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}: HOLDALL_TEST_CRASH_SEED=${seed} repeats it`)
  const program = await findProgram()
  const all = Array.from({ length: houses }, (_, index) => new House(t, program, new SeededRandom(seed + index)))
  await Promise.all(all.map((house) => house.live(crashes / houses)))
  const sum = (count: (house: House) => number) => all.reduce((total, house) => total + count(house), 0)
  const done = {
    kills: sum((house) => house.kills),
    'during the start': sum((house) => house.killsInStart),
    'sign-ins': sum(({ ledger }) => ledger.sessions.size),
    'with a password': sum((house) => house.hashedSignIns),
    'sign-outs': sum(({ ledger }) => ledger.tokens('dead').length),
    uploads: sum((house) => house.uploads),
    replacements: sum((house) => house.replacements),
    'uploads that were cut off': sum((house) => house.parts()),
  }
  t.diagnostic(JSON.stringify(done))
  assert.equal(done.kills, crashes)
  for (const [what, count] of Object.entries(done)) assert.ok(count > 0, `${what}: ${count}, so that the test says something`)
})

/** The packaged executable when it is named, else the bundle. */
async function findProgram(): Promise<readonly string[]> {
  const executable = process.env.HOLDALL_TEST_EXECUTABLE
  return executable === undefined ? [process.execPath, await makeBundle(() => {})] : [resolve(executable)]
}

/** How people sign in while a server runs; both kinds of session live on under either. */
type Method = 'password' | 'proxy'

/** One folder, one state, and one server after another that is killed. */
class House {
  readonly ledger: Ledger
  kills = 0
  killsInStart = 0
  hashedSignIns = 0
  uploads = 0
  replacements = 0
  readonly #program: readonly string[]
  readonly #random: SeededRandom
  readonly #folder: string
  readonly #t: TestContext
  /** Milliseconds that the last start took. */
  #startTime = 500

  constructor(t: TestContext, program: readonly string[], random: SeededRandom) {
    this.#t = t
    this.#program = program
    this.#random = random
    this.#folder = temporaryFolder(t)
    mkdirSync(join(this.#folder, 'files'))
    this.ledger = new Ledger(join(this.#folder, 'files'), join(this.#folder, 'holdall.json'))
  }

  async live(rounds: number) {
    for (let round = 0; round < rounds; round += 1) {
      // The very first starts too, when there is no state and no administrator yet.
      if (round < 3 || this.#random.below(8) === 0) await this.#dieInStart()
      else await this.#dieAtWork(this.#random.below(4) === 0 ? 'password' : 'proxy')
      this.ledger.checkState()
      this.ledger.checkFiles()
    }
    await this.#lookAtAll()
  }

  parts() {
    return readdirSync(join(this.#folder, 'files')).filter((name) => name.endsWith('.part')).length
  }

  #spawn(method: Method): ChildProcess {
    const [command = '', ...first] = this.#program
    const proxy = method === 'proxy' ? ['--auth-header', 'X-User', '--trusted-proxy', '127.0.0.1'] : []
    const args = [...first, '--root', 'files', '--port', '0', '--database', 'holdall.json', '--log', 'warn', ...proxy]
    const env = { HOLDALL_ADMIN_PASSWORD: password }
    const child = spawn(command, args, { cwd: this.#folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#t.after(() => child.kill('SIGKILL'))
    return child
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
    await this.#look(url, 5)
    // Counted in requests and not in time alone, so that a slow machine does as much as a quick one.
    const load = new Load({ house: this, url, method, random: this.#random, patience: this.#random.below(25) })
    const working = load.run()
    await load.enough
    await kill(child, this.#random.below(method === 'password' ? 300 : 20))
    this.kills += 1
    await working
  }

  /** Asks the server itself about some of the sessions. */
  async #look(url: string, atMost = Number.POSITIVE_INFINITY) {
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
    await this.#look(url)
    await kill(child, 0)
    this.ledger.checkState()
    this.ledger.checkFiles(true)
  }
}

async function kill(child: ChildProcess, milliseconds: number) {
  const ended = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), milliseconds)
  const [code, signal] = await ended
  assert.deepEqual([code, signal], [null, 'SIGKILL'], 'it ended because it was killed')
}

type LoadParts = { house: House; url: string; method: Method; random: SeededRandom; patience: number }

/** People at work, until the server is gone. */
class Load {
  readonly #parts: LoadParts
  /** Resolves when as many requests as wanted were begun. */
  readonly enough: Promise<void>
  #isEnough: () => void = () => {}
  #begun = 0

  constructor(parts: LoadParts) {
    this.#parts = parts
    this.enough = new Promise((resolve) => {
      this.#isEnough = resolve
    })
  }

  async run() {
    const workers = [() => this.#upload(), () => this.#replace(), () => this.#signInAndOut(), () => this.#upload()]
    await Promise.all(workers.map((work) => this.#untilItIsGone(work)))
  }

  async #untilItIsGone(work: () => Promise<boolean>) {
    while (await work());
  }

  /** @returns undefined when the server is gone */
  async #ask(path: string, request: RequestInit): Promise<{ status: number; text: string } | undefined> {
    this.#begun += 1
    if (this.#begun > this.#parts.patience) this.#isEnough()
    try {
      const answer = await fetch(`${this.#parts.url}${path}`, { method: 'POST', ...request })
      const text = await answer.text()
      assert.equal(answer.status, 200, `${path}: ${text}`)
      return { status: answer.status, text }
    } catch (error) {
      // fetch says so of every connection that broke.
      if (error instanceof TypeError) return undefined
      this.#isEnough()
      throw error
    }
  }

  async #upload() {
    const { house, random } = this.#parts
    const name = `file-${house.kills}-${this.#begun}.bin`
    const length = random.below(10) === 0 ? random.below(3_000_000) : random.below(60_000)
    const answer = await this.#send(name, 0, length)
    if (answer === undefined) return false
    house.ledger.acknowledgeFile(name, 0)
    house.uploads += 1
    return true
  }

  async #replace() {
    const { house, random } = this.#parts
    const version = (house.ledger.files.get('same.bin') ?? 0) + 1
    const answer = await this.#send('same.bin', version, random.below(200_000))
    if (answer === undefined) return false
    house.ledger.acknowledgeFile('same.bin', version)
    house.replacements += 1
    return true
  }

  async #send(name: string, version: number, length: number) {
    const token = this.#token()
    // Nobody has signed in yet: the next turn of the loop asks again.
    if (token === undefined) return (await this.#signIn()) ? { status: 0, text: '' } : undefined
    const body = stampedFile(name, version, length)
    return this.#ask(`/api/resources/${name}?override=true`, { body: new Uint8Array(body), headers: { 'X-Auth': token } })
  }

  #token() {
    const alive = this.#parts.house.ledger.tokens('alive')
    // The oldest stay: they are what uploads are sent with.
    return alive[0]
  }

  async #signInAndOut() {
    const { house, random } = this.#parts
    const alive = house.ledger.tokens('alive')
    if (alive.length < 4 || random.below(2) === 0) return this.#signIn()
    const token = random.pick(alive.slice(1))
    house.ledger.sessions.set(token, 'unsure')
    const answer = await this.#ask('/api/logout', { headers: { 'X-Auth': token } })
    if (answer === undefined) return false
    house.ledger.sessions.set(token, 'dead')
    return true
  }

  async #signIn() {
    const { house, method } = this.#parts
    const credentials = method === 'password' ? { username: 'admin', password } : {}
    const headers = { 'Content-Type': 'application/json', ...(method === 'proxy' && { 'X-User': 'admin' }) }
    const answer = await this.#ask('/api/login', { body: JSON.stringify(credentials), headers })
    if (answer === undefined) return false
    house.ledger.sessions.set(answer.text, 'alive')
    if (method === 'password') house.hashedSignIns += 1
    return true
  }
}
