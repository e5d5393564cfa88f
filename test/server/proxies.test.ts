// Behind the real nginx and Caddy, with the files of docs/running, below a path.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { installPackage } from '../../scripts/apt.ts'
import { cleanEnvironment } from '../../src-server/shell/clean-environment.ts'
import { findProgram } from '../../src-server/shell/find-program.ts'
import { byScale } from '../support/scale.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { temporaryFolder } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const size = byScale({ usual: 2 ** 25, long: 2 ** 30 })
const piece = Buffer.alloc(2 ** 20, 'a')

type Proxy = Readonly<{
  name: 'nginx' | 'caddy'
  file: string
  /** Writes what the file needs around it. @returns the arguments of the program */
  prepare(folder: string, text: string): readonly string[]
}>

/** Where the proxies listen: an address of its own for each process, so that no port of it is taken between asking and listening. */
const address = `127.7.${(process.pid >> 8) & 255}.${process.pid & 255}`

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    prepare(folder, text) {
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      const http = `access_log off; ${kinds.join(' ')} ${text}`
      writeFileSync(join(folder, 'main.conf'), `daemon off; pid ${folder}/pid; error_log stderr; events {} http { ${http} }`)
      return ['-e', 'stderr', '-p', folder, '-c', join(folder, 'main.conf')]
    },
  },
  {
    name: 'caddy',
    file: 'Caddyfile',
    prepare(folder, text) {
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tdefault_bind ${address}\n}\n${text}`)
      return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    },
  },
]

/** A free port: neither program tells one that it has chosen itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, address)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The path of a program, which is installed when it is missing. */
async function installed(name: Proxy['name']): Promise<string> {
  const find = () => findProgram(name, `${cleanEnvironment().PATH}:/usr/sbin`)
  const found = (await find()) ?? (installPackage(name) ? await find() : undefined)
  assert.ok(found, `${name} is missing and could not be installed: this test needs it (apt-get install ${name})`)
  return found
}

async function start(t: TestContext, { name, file, prepare }: Proxy) {
  const program = await installed(name)
  const audit = { auditLog: join(temporaryFolder(t), 'activity.log') }
  const app = await startApp(t, { options: { baseURL: '/files', trustedProxies: ['127.0.0.1'], ...audit } })
  const [folder, port] = [temporaryFolder(t), await freePort()]
  const text = readFileSync(join(import.meta.dirname, '../../docs/running', file), 'utf8')
  const own = text
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${app.port}`)
    .replace('listen 80;', `listen ${address}:${port};`)
    .replace(/^files\.example/m, `http://${address}:${port}`)
  const child = spawn(program, prepare(folder, own), { env: { HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  t.after(async () => {
    child.kill()
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  })
  const url = `http://${address}:${port}`
  const answers = () =>
    fetch(`${url}/files/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(async () => child.exitCode !== null || (await answers()), `${name} answers`)
  assert.equal(child.exitCode, null, said)
  return { app, url, port, auditLog: audit.auditLog }
}

/** Uploads as a client with an address of its own; `pause` is awaited after the first MiB. */
function upload(
  port: number,
  { token, length, pause }: { token: string; length: number; pause(): Promise<unknown> },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Auth': token, 'Content-Length': length }
    const sent = request({
      host: address,
      localAddress: '127.0.0.3',
      port,
      method: 'POST',
      path: '/files/api/resources/big.bin',
      headers,
    })
    sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', reject)
    const write = async () => {
      for (let at = 0; at < length; at += piece.length) {
        if (!sent.write(piece)) await new Promise((drained) => sent.once('drain', drained))
        if (at === 0) await pause()
      }
      sent.end()
    }
    write().catch(reject)
  })
}

const partsIn = ({ root }: TestApp) => readdirSync(root).filter((name) => name.endsWith('.part'))

/** The program may have to be installed first. */
const whileInstalled = { timeout: 600_000 }

for (const proxy of proxies)
  test(
    `behind ${proxy.name}, below a path: the page, live folders, a large upload without a buffer, and addresses`,
    whileInstalled,
    async (t) => {
      const { app, url, port, auditLog } = await start(t, proxy)
      const { token = '' } = await app.as('ann')
      assert.equal((await fetch(`${url}/files`)).url, `${url}/files/`)
      assert.match(await (await fetch(`${url}/files/login`)).text(), /src="\/files\/static\/main-1\.js"/)
      const socket = new WebSocket(`${url.replace('http', 'ws')}/files/api/live?auth=${token}`)
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', () => reject(new Error('the socket did not open')))
      })
      socket.close()
      const isWritten = () => partsIn(app).some((name) => statSync(join(app.root, name)).size > 0)
      const pause = () => until(isWritten, 'the server writes what has come while the rest is missing')
      assert.equal(await upload(port, { token, length: size, pause }), 200)
      assert.equal(statSync(join(app.root, 'big.bin')).size, size)
      await until(() => existsSync(auditLog) && readFileSync(auditLog, 'utf8').includes('"upload"'), 'the line is written')
      assert.match(readFileSync(auditLog, 'utf8'), /"what":"upload"[^\n]*"from":"127\.0\.0\.3"/)
    },
  )
