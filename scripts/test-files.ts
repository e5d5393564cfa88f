// Groups the test files by folder, name and whether they start a server, and runs them.
import { glob, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { onSignals, type Phase, PhaseFailure, projectEnvironment } from './phases.ts'

const top = resolve(import.meta.dirname, '..')

/**
 * unit: without a server. api: calls to a running server. long: takes minutes, named `*.long.test.ts`. browser: test/e2e.
 * measuring: browser tests that measure time or memory, which run one at a time.
 */
export type Kind = 'unit' | 'api' | 'long' | 'browser' | 'measuring'

/** The import in tests that start a server. */
const startsServer = /from '[./]*support\/start-app\.ts'/
const measuring = ['test/e2e/files.test.ts', 'test/e2e/queue.test.ts']
/** Started first, so that none of them is left at the end to run alone. */
const longest = ['crash.long', 'race.long', 'axe', 'touch', 'folder-drop', 'looks', 'keyboard-alone']

/** A phase that runs all tests of some kinds. It fails when a kind has no tests, for example after a folder was renamed. */
export function tests(name: string, kinds: readonly Kind[], env: NodeJS.ProcessEnv = {}): Phase {
  return {
    name,
    run: async () => {
      const files = await Promise.all(kinds.map((kind) => testFiles(kind)))
      const missing = kinds.filter((_, index) => files[index]?.length === 0)
      if (missing.length > 0) throw new PhaseFailure(`there are no ${missing.join(' and no ')} tests`)
      await runFiles(longestFirst(files.flat()), atOnce(kinds), env)
    },
  }
}

/** No more than there are cores: a browser test has three processes of its own, and on a busy machine each of its steps takes longer. */
function atOnce(kinds: readonly Kind[]): number {
  return kinds.includes('measuring') ? 1 : availableParallelism()
}

function longestFirst(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const index = longest.findIndex((name) => file.endsWith(`/${name}.test.ts`))
    return index < 0 ? longest.length : index
  }
  return files.toSorted((one, other) => rank(one) - rank(other))
}

async function runFiles(files: readonly string[], concurrency: number, env: NodeJS.ProcessEnv): Promise<void> {
  const stop = new AbortController()
  const forget = onSignals(() => stop.abort())
  try {
    const stream = run({
      files: files.map((file) => join(top, file)),
      concurrency,
      env: { ...projectEnvironment(), ...env },
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

/** The test files of a kind, sorted. */
export async function testFiles(kind: Kind, folder = top): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('test/**/*.test.ts', { cwd: folder })) if ((await kindOf(folder, file)) === kind) files.push(file)
  return files.sort()
}

async function kindOf(folder: string, file: string): Promise<Kind> {
  if (file.endsWith('.long.test.ts')) return 'long'
  if (measuring.includes(file)) return 'measuring'
  if (file.startsWith('test/e2e/')) return 'browser'
  return startsServer.test(await readFile(join(folder, file), 'utf8')) ? 'api' : 'unit'
}
