// Requests to a server that will be killed; what it acknowledges is recorded in a ledger.
import assert from 'node:assert/strict'
import { type Ledger, settingsText } from './ledger.ts'
import type { SeededRandom } from './seeded-random.ts'
import { stampedFile } from './stamped-file.ts'

/** The password of the administrator, who is the only user. */
export const password = 'a long and easy password'

/** How the clients sign in while a server runs. Sessions of both kinds stay valid with either. */
export type Method = 'password' | 'proxy'

type WorkParts = { ledger: Ledger; url: string; method: Method; random: SeededRandom }

/** Five clients that upload, replace, store settings, sign in and sign out, each as fast as possible, until the server is gone. */
export class ClientLoad {
  readonly #parts: WorkParts
  /** Resolves when the wanted number of requests was begun, or one failed. */
  readonly haveBegunEnough: Promise<void>
  #isEnough: () => void = () => {}
  /** Requests are counted, so that a slow machine does as much as a fast one. */
  #begun = 0
  /** The wanted number. With passwords only sign-ins count, because each takes longer than many uploads. */
  readonly #wanted: number

  constructor(parts: WorkParts) {
    this.#parts = parts
    this.#wanted = parts.random.below(parts.method === 'password' ? 3 : 25)
    this.haveBegunEnough = new Promise((resolve) => {
      this.#isEnough = resolve
    })
  }

  /** Rejects for any wrong answer. */
  async work() {
    const tasks = [
      () => this.#upload(),
      () => this.#upload(),
      () => this.#replace(),
      () => this.#keepSettings(),
      () => this.#signInAndOut(),
    ]
    try {
      await Promise.all(tasks.map((task) => this.#again(task)))
    } finally {
      this.#isEnough()
    }
  }

  async #again(task: () => Promise<boolean>) {
    while (await task());
  }

  /** @returns the answer's text; undefined when the server is gone */
  async #ask(path: string, request: RequestInit): Promise<string | undefined> {
    if (path === '/api/login' || this.#parts.method === 'proxy') this.#begun += 1
    if (this.#begun > this.#wanted) this.#isEnough()
    try {
      const answer = await fetch(`${this.#parts.url}${path}`, { method: 'POST', ...request })
      const text = await answer.text()
      assert.equal(answer.status, 200, `${path}: ${text}`)
      return text
    } catch (error) {
      // fetch throws a TypeError when a connection breaks.
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  async #upload() {
    const token = this.#token()
    if (token === undefined) return this.#signIn()
    const { ledger, random } = this.#parts
    const name = `file-${random.below(2 ** 31)}.bin`
    const length = random.below(10) === 0 ? random.below(3_000_000) : random.below(60_000)
    const answer = await this.#send(token, name, 0, length)
    if (answer === undefined) return false
    ledger.acknowledgeFile(name, 0)
    return true
  }

  async #replace() {
    const token = this.#token()
    if (token === undefined) return this.#signIn()
    const { ledger, random } = this.#parts
    const version = (ledger.files.get('same.bin') ?? 0) + 1
    const answer = await this.#send(token, 'same.bin', version, random.below(200_000))
    if (answer === undefined) return false
    ledger.acknowledgeFile('same.bin', version)
    return true
  }

  async #keepSettings() {
    const token = this.#token()
    if (token === undefined) return this.#signIn()
    const { ledger, random } = this.#parts
    const sorting = { by: random.pick(['name', 'size', 'modified']), asc: random.below(2) === 0 }
    const wanted = { viewMode: random.pick(['list', 'mosaic']), sorting }
    ledger.settings.push(settingsText(wanted))
    const body = JSON.stringify({ what: 'user', which: ['viewMode', 'sorting'], data: { id: 1, ...wanted } })
    const headers = { 'X-Auth': token, 'Content-Type': 'application/json' }
    const answer = await this.#ask('/api/users/1', { method: 'PUT', body, headers })
    if (answer === undefined) return false
    ledger.acknowledgeSettings(settingsText(wanted))
    return true
  }

  #send(token: string, name: string, version: number, length: number) {
    const body = new Uint8Array(stampedFile(name, version, length))
    return this.#ask(`/api/resources/${name}?override=true`, { body, headers: { 'X-Auth': token } })
  }

  /** The session for uploads: the oldest, which is never signed out. */
  #token() {
    return this.#parts.ledger.tokens('alive')[0]
  }

  async #signInAndOut() {
    const { ledger, random } = this.#parts
    const alive = ledger.tokens('alive')
    if (alive.length < 4 || random.below(2) === 0) return this.#signIn()
    const token = random.pick(alive.slice(1))
    ledger.sessions.set(token, 'unsure')
    const answer = await this.#ask('/api/logout', { headers: { 'X-Auth': token } })
    if (answer === undefined) return false
    ledger.sessions.set(token, 'dead')
    return true
  }

  async #signIn() {
    const { ledger, method } = this.#parts
    const credentials = method === 'password' ? { username: 'admin', password } : {}
    const headers = { 'Content-Type': 'application/json', ...(method === 'proxy' && { 'X-User': 'admin' }) }
    const answer = await this.#ask('/api/login', { body: JSON.stringify(credentials), headers })
    if (answer === undefined) return false
    ledger.sessions.set(answer, 'alive')
    if (method === 'password') ledger.signInsByPassword += 1
    return true
  }
}
