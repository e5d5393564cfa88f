// A real mount whose program has stopped: bindfs over FUSE, which gets SIGSTOP. Only in `npm run test:long`: it needs /dev/fuse.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { installPackage } from '../../scripts/apt.ts'
import { cleanEnvironment } from '../../src-server/shell/clean-environment.ts'
import { findProgram as findSystemProgram } from '../../src-server/shell/find-program.ts'
import { isLong } from '../support/scale.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { administratorPassword, listening } from '../support/start-executable.ts'
import { temporaryFolder } from '../support/start-state.ts'
import { until } from '../support/until.ts'

/** Requests whose clients leave before the mount has answered. */
const requests = 200
/** Milliseconds that the issue allows for an answer about another place. */
const allowed = 500

/** Shows folders at other places by programs that can be stopped, so that nothing that asks for them is answered. */
class Mounts {
  readonly #ends: (() => Promise<void>)[] = []

  async add(from: string, to: string) {
    const find = () => findSystemProgram('bindfs', cleanEnvironment().PATH)
    const program = (await find()) ?? (installPackage('bindfs') ? await find() : undefined)
    assert.ok(program, 'bindfs is missing and could not be installed: this test needs it (apt-get install bindfs)')
    for (const folder of [from, to]) mkdirSync(folder, { recursive: true })
    const around = statSync(to).dev
    const child = spawn(program, ['-f', from, to], { stdio: 'inherit' })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    this.#ends.push(async () => {
      child.kill('SIGCONT')
      // What is open there would keep the mount in the tree.
      spawnSync('umount', ['--lazy', to])
      child.kill('SIGKILL')
      await exited
    })
    await until(() => child.exitCode !== null || statSync(to).dev !== around, `${to} is a mount`)
    assert.equal(child.exitCode, null, 'bindfs ended')
    return { freeze: () => child.kill('SIGSTOP'), thaw: () => child.kill('SIGCONT') }
  }

  async end() {
    for (const end of this.#ends) await end()
  }
}

const kinds: readonly [method: string, address: string, body?: string][] = [
  ['GET', '/api/resources/frozen/'],
  ['GET', '/api/raw/frozen/f'],
  ['GET', '/api/size/frozen/'],
  ['GET', '/api/preview/thumb/frozen/f.png'],
  ['PUT', '/api/resources/frozen/f', 'y'],
  ['POST', '/api/resources/frozen/new', 'y'],
  ['PATCH', '/api/resources/frozen/f?action=rename&destination=%2Fg'],
  ['DELETE', '/api/resources/frozen/f'],
]

if (isLong)
  test(`after ${requests} requests to a frozen mount, whose clients have left, its neighbours answer within ${allowed} ms`, {
    timeout: 120_000,
  }, async (t) => {
    const mounts = new Mounts()
    // Before the folder is removed, which would wait for them.
    t.after(() => mounts.end())
    const folder = temporaryFolder(t)
    const root = join(folder, 'files')
    mkdirSync(root)
    writeFileSync(join(root, 'f'), 'x')
    const frozen = await mounts.add(join(folder, 'behind-frozen'), join(root, 'frozen'))
    await mounts.add(join(folder, 'behind-well'), join(root, 'well'))
    for (const file of ['frozen/f', 'frozen/f.png', 'well/f']) writeFileSync(join(root, file), 'x')
    const server = startProgram(t, {
      program: await findProgram(),
      folder,
      env: { HOLDALL_ADMIN_PASSWORD: administratorPassword },
    })
    const { url } = await listening(server)
    const ask = async (method: string, address: string, body?: string, signal?: AbortSignal) => {
      const answer = await fetch(`${url}${address}`, {
        method,
        headers: { 'X-Auth': token },
        body: body ?? null,
        signal: signal ?? null,
      })
      return { status: answer.status, text: await answer.text() }
    }
    const login = { username: 'admin', password: administratorPassword }
    const signedIn = await fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
    })
    const token = await signedIn.text()
    assert.deepEqual(namesIn(await ask('GET', '/api/resources/frozen/')), ['f', 'f.png'])

    frozen.freeze()
    const leaving = new AbortController()
    const asked = Array.from({ length: requests }, (_, index) => {
      const [method, address, body] = kinds[index % kinds.length] as (typeof kinds)[0]
      return ask(method, address, body, leaving.signal)
    })
    // All requests have reached the server when a later one is answered, and none of them is.
    await ask('GET', '/health')
    leaving.abort()
    const outcomes = (await Promise.allSettled(asked)).map(({ status }) => status)
    assert.deepEqual(new Set(outcomes), new Set(['rejected']))

    const took: Record<string, number[]> = {}
    /** The best of five: other processes of this machine may keep one of them waiting. */
    const timed = async (what: string, method: string, address: string, body?: string) => {
      const times: number[] = []
      took[what] = times
      let answer = { status: 0, text: '' }
      for (let round = 0; round < 5; round++) {
        const begun = performance.now()
        answer = await ask(method, address, body)
        times.push(Math.round(performance.now() - begun))
        assert.equal(answer.status, 200, `${what}: ${answer.text}`)
      }
      assert.ok(Math.min(...times) <= allowed, `${what}: ${times.join(', ')} ms`)
      return answer
    }
    assert.deepEqual(namesIn(await timed('list of the root', 'GET', '/api/resources/')), ['f', 'frozen', 'well'])
    assert.deepEqual(namesIn(await timed('list of the other mount', 'GET', '/api/resources/well/')), ['f'])
    await timed('file of the root', 'GET', '/api/raw/f')
    await timed('file of the other mount', 'GET', '/api/raw/well/f')
    await timed('save in the root', 'PUT', '/api/resources/f', 'z')
    await timed('save on the other mount', 'PUT', '/api/resources/well/f', 'z')
    t.diagnostic(`milliseconds: ${JSON.stringify(took)}`)

    frozen.thaw()
    await until(async () => (await ask('GET', '/api/resources/frozen/')).status === 200, 'the mount answers again')
  })

const namesIn = ({ text }: { text: string }) =>
  (JSON.parse(text) as { items: { name: string }[] }).items.map(({ name }) => name).sort()
