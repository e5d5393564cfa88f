// The command line: reads the options, starts the server, and ends it on a signal.
import './base/thread-pool.ts'
import { StartupProblem } from './base/startup-problem.ts'
import { version } from './base/version.ts'
import { handleProblem } from './disk/path-handle.ts'
import { listen, stop } from './listening.ts'
import { firstPassword } from './options/first-password.ts'
import { unpackNativesBelow } from './options/native-folder.ts'
import type { Options } from './options/options.ts'
import { prepareFolders } from './options/places.ts'
import { programPlace } from './options/program-place.ts'
import { type ProgramPlace, readOptions } from './options/read-options.ts'
import { readTls } from './options/tls-files.ts'
import { bundledAssets } from './pages/assets.ts'
import { ensureAdministrator } from './people/first-administrator.ts'
import { selfTest } from './self-test.ts'
import { buildServices, type Services } from './services.ts'

async function main() {
  ignoreLogFailures()
  // Node forgets that nohup had this ignored: it ends the server only with the terminal that shows what it says.
  if (!isOnTerminal()) process.on('SIGHUP', () => {})
  const place = programPlace()
  const isTerminal = process.stderr.isTTY === true
  const start = readOptions({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), place, version, isTerminal })
  if (start.kind === 'print') process.stdout.write(start.text)
  else if (start.kind === 'self-test') process.exitCode = await selfTest(say)
  else await serve(start.options, place)
}

/** What cannot be written, because the disk is full or the reader of the pipe has gone, is lost: the server goes on. */
function ignoreLogFailures() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

async function serve(options: Options, place: ProgramPlace) {
  const problem = handleProblem()
  if (problem !== undefined) throw new StartupProblem(problem)
  prepareFolders(options)
  // Before anything that has native parts is loaded: they are unpacked where this says.
  const nativeProblem = unpackNativesBelow(options.cacheDir)
  const parts = await buildServices({ options, assets: await bundledAssets(), program: ownPlaces(place), tls: readTls(options) })
  await parts.passwords.prepare()
  for (const warning of [...options.warnings, nativeProblem]) if (warning !== undefined) parts.app.log.warn(warning)
  const ending = new AbortController()
  try {
    await reportFirstAdministrator(parts, options)
    const address = await listen(parts.app, options)
    // Whoever reads that it serves may end it at once.
    endOnSignals(parts, ending)
    say(`Holdall serves ${options.root} at ${address}`)
  } catch (error) {
    await parts.close()
    throw error
  }
  removeStaleTemporariesDaily(parts, ending.signal)
}

function ownPlaces(place: ProgramPlace) {
  return 'executable' in place ? { files: [place.executable], folders: [] } : { files: [], folders: [place.project] }
}

/** Makes the first administrator, and says how to sign in as one. */
async function reportFirstAdministrator({ accounts, state }: Services, options: Options) {
  const first = await ensureAdministrator({
    accounts,
    firstPassword: state.firstPassword,
    given: () => firstPassword(options),
    isTerminal: process.stdout.isTTY === true,
  })
  if (first === undefined) return
  if ('password' in first) say(`Sign in as ${first.username} with the password ${first.password} (it is shown only this once).`)
  else if ('file' in first) say(`Sign in as ${first.username}; the password is in ${first.file} until it is changed.`)
  else say(`Sign in as ${first.username} with the password of ${first.option}.`)
}

/** Milliseconds between two searches. */
const day = 24 * 60 * 60 * 1000

/** Now, and once a day: what broken uploads left goes. */
function removeStaleTemporariesDaily({ app, removeStaleTemporaries }: Services, signal: AbortSignal) {
  const run = async () => {
    const removed = await removeStaleTemporaries(signal)
    if (removed > 0) app.log.info({ removed }, 'removed what broken uploads had left')
  }
  const report = (error: unknown) => app.log.error({ err: error }, 'the remains of uploads could not be looked for')
  const timer = setInterval(() => run().catch(report), day).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  run().catch(report)
}

/** Milliseconds: one Ctrl-C comes from the terminal, and once more from npm, which passes it on. */
const samePress = 1000

function endOnSignals({ app, close }: Services, ending: AbortController) {
  let first = 0
  const end = async () => {
    if (ending.signal.aborted) {
      // Asked twice: whoever is still connected is cut off.
      if (performance.now() - first > samePress) app.server.closeAllConnections()
      return
    }
    first = performance.now()
    ending.abort()
    await stop(app)
    await close()
    // What was cut still clears up after itself; nothing else keeps the process.
    setTimeout(() => process.exit(), 2000).unref()
  }
  const signals = ['SIGTERM', 'SIGINT', ...(isOnTerminal() ? ['SIGHUP'] : [])]
  for (const signal of signals) process.on(signal, () => end().catch(fail))
}

function isOnTerminal() {
  return process.stdout.isTTY === true || process.stderr.isTTY === true
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown) {
  const isOurs = error instanceof StartupProblem
  process.stderr.write(`${isOurs ? `holdall: ${error.message}` : error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(isOurs ? 2 : 1)
}

main().catch(fail)
