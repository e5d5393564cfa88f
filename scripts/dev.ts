// `npm run dev`: builds and starts the server, and does so again when a source changes; open pages reload.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildServer, buildUi } from '../build.ts'
import { bundle } from './bundle.ts'
import { markStale } from './sources.ts'

const top = resolve(import.meta.dirname, '..')
const watched = ['src-server', 'src-ui', 'locales']
/** Milliseconds after the last change: an editor may save several files, each in several steps. */
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
    // esbuild has printed the errors. The server of the last successful build keeps running.
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
  // The server would wait ten seconds for the connections of open pages.
  const killing = setTimeout(() => server?.kill('SIGKILL'), 1500)
  await ended
  clearTimeout(killing)
}

async function end() {
  isEnding = true
  clearTimeout(timer)
  await stopServer()
  process.exit()
}
