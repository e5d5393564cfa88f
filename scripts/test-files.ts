// Groups the test files by folder, name and whether they start a server, and runs them.
import { execFileSync } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { onSignals, type Phase, PhaseFailure, projectEnvironment } from './phases.ts'

const top = resolve(import.meta.dirname, '..')

/**
 * unit: without a server. api: calls to a running server. long: takes minutes, named `*.long.test.ts`. browser: test/e2e.
 * measuring: browser tests that measure time or memory, which run one at a time, and only in `npm run test:long`.
 * everyCommand: browser tests that run every command of the table one after another, also only in `npm run test:long`: each command has
 * tests of its own in `npm test`.
 * detail: browser tests of what few changes touch, also only in `npm run test:long`: `npm test` opens each page in others.
 * scaled: those of the others that do more in `npm run test:long` than in `npm test`.
 */
export type Kind = 'unit' | 'api' | 'long' | 'browser' | 'measuring' | 'everyCommand' | 'detail' | 'scaled'

/** The import in tests that start a server. */
const startsServer = /from '[./]*support\/start-app\.ts'/
/** The import in tests whose numbers depend on the run. */
const isScaled = /from '[./]*support\/scale\.ts'/
const measuring = ['test/e2e/files.test.ts', 'test/e2e/queue.test.ts']
const everyCommand = ['test/e2e/keyboard-alone.test.ts', 'test/e2e/touch.test.ts']
const details = [
  ...[
    'activity',
    'administrator',
    'branding',
    'captcha',
    'changed-rights',
    'editor-conflict',
    'editor-permissions',
    'editor-reading',
  ],
  ...['entry-uploads', 'global-settings', 'item-counts', 'lan', 'languages', 'moved-entries', 'others-changes', 'preview-media'],
  ...['preview-touch', 'reach', 'render-errors', 'rubber-band', 'share-names', 'share-withdrawn', 'shares-page', 'shell'],
  ...['sign-in-place', 'tablet-targets', 'thumbnails', 'transfers-panel', 'type-size', 'without-hover'],
].map((name) => `test/e2e/${name}.test.ts`)
/** Started first, so that none of them is left at the end to run alone. */
const longest = [
  'archives.long',
  'crash.long',
  'browser-kills.long',
  'race.long',
  'uploads-crash.long',
  'axe',
  'touch',
  'shell',
  'folder-drop',
  'looks',
  'keyboard-alone',
]
/**
 * Tests that change their process, or ask it for its handles, memory or threads: they have a process of their own. What `t.mock` changes
 * is as before at the end of its test; what the `mock` of a file changes is not.
 */
const usesProcess =
  /in-memory\.ts'|process\.(chdir|umask|env\b)|\/proc\/self|\bmock\b.* from 'node:test'|setFlagsFromString|memoryUsage|globalThis/

/** Test files that several processes take from, one after another. */
export type SharedList = Readonly<{
  top: string
  files: readonly string[]
  /** A folder that gets one folder for each file that is taken, named by its place in the list. */
  taken: string
}>

/** Milliseconds after which a test that names no time of its own has come to a halt, also on a machine many times slower. */
const testTimeout = 300_000

type RunOptions = Readonly<{
  env?: NodeJS.ProcessEnv
  /**
   * By default as many as there are cores: a browser test has three more, and on a busy machine each of its steps takes longer. One
   * for tests that measure.
   */
  processes?: number
  /** Leaves out what `npm run test:long` repeats in larger numbers. */
  withoutScaled?: boolean
}>

/** A phase that runs all tests of some kinds. It fails when there are none of one, for example after a folder was renamed. */
export function tests(
  name: string,
  kinds: readonly Kind[],
  { env, processes = availableParallelism(), withoutScaled = false }: RunOptions = {},
): Phase {
  return {
    name,
    run: async () => {
      const left = withoutScaled ? await testFiles('scaled') : []
      const files: string[] = []
      for (const kind of kinds) {
        const ofKind = (await testFiles(kind)).filter((file) => !left.includes(file))
        if (ofKind.length === 0) throw new PhaseFailure(`there are no ${kind} tests`)
        files.push(...ofKind)
      }
      await runFiles(longestFirst(files), processes, { ...withSeed(), ...env })
    },
  }
}

/** The seed of random choices: the same for each run of a commit. */
function withSeed(): NodeJS.ProcessEnv {
  const seed = process.env.HOLDALL_TEST_SEED ?? String(Number.parseInt(commit().slice(0, 8), 16))
  console.log(`seed of random choices: HOLDALL_TEST_SEED=${seed}`)
  return { HOLDALL_TEST_SEED: seed }
}

/** The hash of the commit; of another kind of copy, one and the same number. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return '00000001'
  }
}

function longestFirst(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const index = longest.findIndex((name) => file.endsWith(`/${name}.test.ts`))
    return index < 0 ? longest.length : index
  }
  return files.toSorted((one, other) => rank(one) - rank(other))
}

/**
 * Runs some processes at once. All but one take one of the shared files after another; that one runs the files with a process of their
 * own before.
 */
async function runFiles(files: readonly string[], processes: number, env: NodeJS.ProcessEnv): Promise<void> {
  const taken = await mkdtemp(join(tmpdir(), 'holdall-test-list-'))
  try {
    const { own = [], shared = [] } = await byProcess(files)
    const list: SharedList = { top, files: shared, taken }
    const [last = [], ...others] = Array<string[]>(Math.min(processes, shared.length)).fill(['scripts/run-test-files.ts'])
    const pages = join(taken, 'pages.txt')
    const environment = { ...env, HOLDALL_TEST_LIST: JSON.stringify(list), HOLDALL_TEST_PAGES: pages }
    await runProcesses([...others.flat(), ...own, ...last], processes, environment)
  } catch (error) {
    // The reporter prints them where the tests ran, far before the end of a long output.
    const pages = await readFile(join(taken, 'pages.txt'), 'utf8').catch(() => '')
    if (error instanceof PhaseFailure) throw new PhaseFailure(pages + error.message)
    throw error
  } finally {
    await rm(taken, { recursive: true })
  }
}

async function byProcess(files: readonly string[]) {
  const sources = await Promise.all(files.map((file) => readFile(join(top, file), 'utf8')))
  return Object.groupBy(files, (file, index) => (ownsProcess(file, sources[index] ?? '') ? 'own' : 'shared'))
}

/** The modules of the interface keep their state, the present page for example, for as long as the process. */
const ownsProcess = (file: string, source: string): boolean =>
  !['unit', 'api', 'browser', 'everyCommand', 'detail'].includes(kindOf(file, source)) ||
  file.startsWith('test/ui/') ||
  usesProcess.test(source)

async function runProcesses(files: readonly string[], concurrency: number, env: NodeJS.ProcessEnv): Promise<void> {
  const stop = new AbortController()
  const forget = onSignals(() => stop.abort())
  try {
    const stream = run({
      files: files.map((file) => join(top, file)),
      concurrency,
      env: { ...projectEnvironment(), ...env },
      // For each test. The option `timeout` of `run` would be for each file.
      execArgv: [`--test-timeout=${testTimeout}`, `--import=${pathToFileURL(join(top, 'scripts/end-tests.ts'))}`],
      signal: stop.signal,
    })
    let passed = false
    // The summary without a file is that of all files.
    stream.on('test:summary', ({ success, file }) => {
      if (file === undefined) passed = success
    })
    const report = stream.compose(new spec())
    report.pipe(process.stdout, { end: false })
    await finished(report)
    if (!passed) throw new PhaseFailure('a test has failed')
  } finally {
    forget()
  }
}

/** The kinds of which `npm test` does nothing. */
const onlyLong: readonly Kind[] = ['measuring', 'everyCommand', 'detail']

/** The test files of a kind, sorted. */
export async function testFiles(kind: Kind, folder = top): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('test/**/*.test.ts', { cwd: folder })) {
    const source = await readFile(join(folder, file), 'utf8')
    const own = kindOf(file, source)
    const isScaledOne = isScaled.test(source) && !onlyLong.includes(own)
    if (kind === 'scaled' ? isScaledOne : own === kind) files.push(file)
  }
  return files.sort()
}

function kindOf(file: string, source: string): Exclude<Kind, 'scaled'> {
  if (file.endsWith('.long.test.ts')) return 'long'
  if (measuring.includes(file)) return 'measuring'
  if (everyCommand.includes(file)) return 'everyCommand'
  if (details.includes(file)) return 'detail'
  if (file.startsWith('test/e2e/')) return 'browser'
  return startsServer.test(source) ? 'api' : 'unit'
}
