// The server as a program: reads the options, starts the server, and stops it on a signal.
import { setFlagsFromString } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'
import { bundledFiles, noticesName } from './base/bundled-files.ts'
import { StartupError } from './base/startup-error.ts'
import { version } from './base/version.ts'
import { listen, stop } from './listening.ts'
import { firstPassword } from './options/first-password.ts'
import { unpackNativesBelow } from './options/native-folder.ts'
import type { Options } from './options/options.ts'
import { hasState, prepareFolders, rootWarning } from './options/prepare-paths.ts'
import { programLocation } from './options/program-location.ts'
import { type ProgramLocation, readOptions, type StartContext } from './options/read-options.ts'
import { readTls } from './options/tls-files.ts'
import { bundledAssets } from './pages/assets.ts'
import type { Services } from './services.ts'

/** Runs the server until a signal ends it, and what other flags ask for. Errors end the process. */
export async function main(): Promise<void> {
  await run().catch(fail)
}

async function run() {
  ignoreLogFailures()
  // Node resets the ignored SIGHUP of `nohup`. Without a terminal as output, the end of a terminal must not stop the server.
  if (!isOnTerminal()) process.on('SIGHUP', () => {})
  const location = programLocation()
  const isTerminal = process.stderr.isTTY === true
  const context = { argv: process.argv.slice(2), cwd: process.cwd(), location, version, isTerminal }
  const start = readOptions({ ...context, env: process.env })
  if (start.kind === 'print') process.stdout.write(start.text)
  else if (start.kind === 'licenses') process.stdout.write(licenses())
  else if (start.kind === 'self-test') process.exitCode = await (await import('./self-test.ts')).selfTest(say)
  else if (start.kind === 'health') process.exitCode = await (await import('./ask-health.ts')).askHealth(start.options, complain)
  else if (start.kind === 'import') {
    letNewSpaceGrow(false)
    process.exitCode = await (await import('./import-database.ts')).importDatabase(start, (text) => process.stdout.write(text))
  } else if (start.kind === 'command') {
    letNewSpaceGrow(false)
    const [{ runCommand }, { processConsole }] = await Promise.all([import('./run-command.ts'), import('./cli/console.ts')])
    process.exitCode = await runCommand(start, processConsole(process.env.INIT_CWD ?? process.cwd()))
  } else if (start.kind === 'reset-password')
    await (await import('./reset-password.ts')).resetPassword(start, { say, isTerminal: process.stdout.isTTY === true })
  else await serve(await afterImport(start.options, context), location)
}

/** The options of the server, when there is a state or what File Browser has was looked for. */
async function afterImport(options: Options, context: Omit<StartContext, 'env'>): Promise<Options> {
  const { database, importOnStart } = options
  if (hasState(options)) {
    const ignored = `--import-on-start is ignored, as there is a state: ${database}.`
    return importOnStart ? { ...options, warnings: [...options.warnings, ignored] } : options
  }
  letNewSpaceGrow(false)
  const { meetFileBrowser } = await import('./file-browser-start.ts')
  const folder = process.env.INIT_CWD ?? context.cwd
  const met = await meetFileBrowser({ options, folder, home: process.env.HOME, print: (text) => process.stdout.write(text) })
  if (!met.hasImported) return { ...options, warnings: [...options.warnings, ...met.sentences] }
  const again = readOptions({ ...context, env: process.env })
  if (again.kind !== 'serve') return options
  // The first reading has taken the passwords out of the environment.
  const { adminPassword, firstPassword } = options
  return { ...again.options, ...(adminPassword && { adminPassword }), ...(firstPassword && { firstPassword }) }
}

/** @throws StartupError when the server runs from its sources */
function licenses(): Buffer {
  const files = bundledFiles()
  if (files === undefined) throw new StartupError('the licences are part of the executable: make it with npm run package')
  return brotliDecompressSync(files.bytes(noticesName))
}

/** Log lines that cannot be written (the disk is full, the pipe is closed) are lost. The server goes on. */
function ignoreLogFailures() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** A rejection that no code waited for is a fault of one request. It must not end those of all others. */
function goOnAfterForgottenErrors({ app }: Services) {
  process.on('unhandledRejection', (error) => app.log.error({ err: error }, 'an error was not handled'))
}

/**
 * Lets the memory for new objects of V8 grow, as it does by default, or not. What a start makes is mostly kept: memory that grew for it
 * would stay, some 5 MB, and be of no use to the idle server.
 */
function letNewSpaceGrow(mayGrow: boolean) {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}

async function serve(options: Options, location: ProgramLocation) {
  letNewSpaceGrow(false)
  // Loaded only now, because the version, the help and refused options need nothing of it.
  const [{ handleProblem }, { buildServices }, { listenForOperator }] = await Promise.all([
    import('./disk/path-handle.ts'),
    import('./services.ts'),
    import('./listen-for-operator.ts'),
  ])
  const problem = handleProblem()
  if (problem !== undefined) throw new StartupError(problem)
  prepareFolders(options)
  // Before any native module is loaded: this sets the folder to which they are unpacked.
  const nativeProblem = unpackNativesBelow(options.cacheDir)
  const parts = await buildServices({
    options,
    assets: bundledAssets(),
    program: programPaths(location),
    tls: readTls(options),
  })
  goOnAfterForgottenErrors(parts)
  await parts.passwords.prepare()
  for (const warning of [...options.warnings, nativeProblem, rootWarning(options)])
    if (warning !== undefined) parts.app.log.warn(warning)
  const ending = new AbortController()
  try {
    await reportFirstAdministrator(parts, options)
    const address = await listen(parts.app, options)
    const closeControl = await listenForOperator(parts, options)
    // Before the line below: a script that waits for it may send a signal at once.
    endOnSignals({ ...parts, close: () => closeControl().then(parts.close) }, ending)
    say(`Holdall serves ${options.root} at ${address}`)
    letNewSpaceGrow(true)
  } catch (error) {
    await parts.close()
    throw error
  }
  removeStaleTemporariesDaily(parts, ending.signal)
  parts.startTrash().catch((error: unknown) => parts.app.log.error({ err: error }, 'the trash could not be tidied'))
}

function programPaths(location: ProgramLocation) {
  return 'executable' in location ? { files: [location.executable], folders: [] } : { files: [], folders: [location.project] }
}

/** Makes the first administrator when there are no users, and prints how to sign in. */
async function reportFirstAdministrator({ accounts, state }: Services, options: Options) {
  const { ensureAdministrator } = await import('./users/first-administrator.ts')
  const first = await ensureAdministrator({
    accounts,
    state,
    given: () => firstPassword(options),
    name: options.firstUsername,
    isTerminal: process.stdout.isTTY === true,
  })
  if (first === undefined) return
  if ('password' in first) say(`Sign in as ${first.username} with the password ${first.password} (it is shown only this once).`)
  else if ('file' in first) say(`Sign in as ${first.username}; the password is in ${first.file} until it is changed.`)
  else say(`Sign in as ${first.username} with the password of ${first.option}.`)
}

/** Milliseconds. */
const day = 24 * 60 * 60 * 1000

/** Removes temporary files of broken uploads, now and once a day. */
function removeStaleTemporariesDaily({ app, removeStaleTemporaries }: Services, signal: AbortSignal) {
  const run = async () => {
    const removed = await removeStaleTemporaries(signal)
    if (removed > 0) app.log.info({ removed }, 'temporary files of broken uploads were removed')
  }
  const report = (error: unknown) => app.log.error({ err: error }, 'temporary files of broken uploads could not be removed')
  const timer = setInterval(() => run().catch(report), day).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  run().catch(report)
}

/** Milliseconds within which two signals are one: Ctrl-C comes from the terminal, and again from npm, which forwards it. */
const samePress = 1000

function endOnSignals({ app, close }: Services, ending: AbortController) {
  let first = 0
  const end = async () => {
    if (ending.signal.aborted) {
      // The second signal closes the connections that are left.
      if (performance.now() - first > samePress) app.server.closeAllConnections()
      return
    }
    first = performance.now()
    ending.abort()
    await stop(app)
    await close()
    // Aborted work may still remove its temporary files; after two seconds the process exits in any case.
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

function complain(line: string) {
  process.stderr.write(`holdall: ${line}\n`)
}

function fail(error: unknown) {
  const isStartupError = error instanceof StartupError
  process.stderr.write(`${isStartupError ? `holdall: ${error.message}` : error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(isStartupError ? 2 : 1)
}
