// `npm run bench:ui`: waiting times in a real browser against the executable. Each figure is printed beside its target; nothing is
// asserted. Compare figures of one idle machine. `npm run bench:ui -- rows scrolling` runs these parts alone.
import { join } from 'node:path'
import { launchBrowser } from '../../test/support/browser.ts'
import { startExecutable } from '../../test/support/start-executable.ts'
import { makeExecutable } from '../package.ts'
import { fill } from './made-files.ts'
import { byName, report } from './measure.ts'
import { firstProgress } from './ui/dropping.ts'
import { firstBytes } from './ui/first-bytes.ts'
import { firstRows } from './ui/first-rows.ts'
import { changedByOthers } from './ui/live.ts'
import { longestFrames } from './ui/scrolling.ts'

type Part = {
  title: string
  unit: string
  /** By the name of the figure. */
  aims: Readonly<Record<string, string>>
  runs: number
  run(round: number): Promise<Record<string, number>>
}

const thousand = 1000
const wanted = process.argv.slice(2)

process.env.HOLDALL_TEST_EXECUTABLE ??= await makeExecutable()
const server = await startExecutable(['--log', 'warn'])
const browser = await launchBrowser()

const parts: Record<string, Part> = {
  bytes: {
    title: 'Compressed bytes before the listing shows: a fresh browser, from the login page to ten rows',
    unit: 'KB',
    aims: { all: '140 KB' },
    runs: 3,
    run: async () => firstBytes(browser, server.url, await folderOf('few', 10)),
  },
  rows: {
    title: 'First rows of 100,000 entries, from the click on "Sign in"',
    unit: 'ms',
    aims: { 'until they are painted': '1 s' },
    runs: 7,
    run: async () => firstRows(browser, server.url, await folderOf('many', 100 * thousand)),
  },
  scrolling: {
    title: 'Longest frame while 100,000 entries are scrolled (requestAnimationFrame to requestAnimationFrame)',
    unit: 'ms',
    aims: { 'ArrowDown held': '50 ms', 'PageDown held': '50 ms', wheel: '50 ms' },
    runs: 5,
    run: async () => longestFrames(browser, server.url, await folderOf('many', 100 * thousand)),
  },
  live: {
    title: '10,000 files made by another program in the open folder',
    unit: 'ms',
    aims: { 'longest frame meanwhile': '100 ms', 'until one more is shown': '1 s' },
    runs: 3,
    run: async (round) => changedByOthers(browser, server.url, server.root, `changed ${round}`),
  },
  dropping: {
    title: '10,000 files in a folder that is dropped from the desktop',
    unit: 'ms',
    aims: { 'until the panel shows progress': '1 s' },
    runs: 5,
    // A new folder name each time, so that there is no name conflict.
    run: async (round) => firstProgress(browser, server.url, await fill(join(server.folder, `dropped ${round}`), 10 * thousand)),
  },
}

try {
  for (const [name, part] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await show(part)
} finally {
  await browser.close()
  await server.close()
}

async function show({ title, unit, aims, runs, run }: Part): Promise<void> {
  console.log(title)
  const results: Record<string, number>[] = []
  for (let round = 0; round < runs; round++) results.push(await run(round))
  for (const [name, samples] of byName(results)) console.log(report(`  ${name}`, samples, unit, aims[name]))
}

/** Makes a folder in the served root. @returns its name */
async function folderOf(name: string, count: number): Promise<string> {
  await fill(join(server.root, name), count)
  return name
}
