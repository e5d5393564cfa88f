// `npm run dev`: builds and serves, and does both again when a source changes; open pages reload.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildServer, buildUi } from '../build.ts'
import { bundle } from './bundle.ts'
import { markStale } from './sources.ts'

const top = resolve(import.meta.dirname, '..')
const watched = ['src-server', 'src-ui', 'locales']
/** Milliseconds: an editor saves more than one file, and each in more than one step. */
const pause = 150

let server: ChildProcess | undefined
let isEnding = false
let round: Promise<void> = Promise.resolve()
let timer: NodeJS.Timeout | undefined

for (const folder of watched) watch(join(top, folder), { recursive: true }, soon)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
soon()

function soon() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    round = round.then(rebuild)
  }, pause)
}

async function rebuild() {
  const started = performance.now()
  try {
    await markStale(bundle)
    await buildServer(await buildUi({ release: false, reload: true }))
  } catch {
    // esbuild has printed the errors; the server of the last good build goes on.
    return console.error('holdall: not built; waiting for the next change')
  }
  console.error(`holdall: built in ${Math.round(performance.now() - started)} ms`)
  await stopServer()
  if (!isEnding) server = spawn(process.execPath, [bundle, ...process.argv.slice(2)], { stdio: 'inherit' })
}

async function stopServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  // An open page keeps its connection, for which the server would wait ten seconds.
  const cut = setTimeout(() => server?.kill('SIGKILL'), 1500)
  await ended
  clearTimeout(cut)
}

async function end() {
  isEnding = true
  clearTimeout(timer)
  await stopServer()
  process.exit()
}
