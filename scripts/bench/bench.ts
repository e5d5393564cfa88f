// `npm run bench`: times of the executable beside those of plain tools in the same run. Nothing is asserted.
// `npm run bench -- load`: the effect of abusive clients, with exit code 1 when a limit is exceeded. `npm run bench -- NAME …` runs
// these rows alone.
// HOLDALL_TEST_EXECUTABLE names another executable to measure. docs/performance.md says how to read the figures.
import { makeExecutable } from '../package.ts'
import { runLoad } from './load/load.ts'
import { loadRows } from './load/rows.ts'
import { type Row, runRow } from './row.ts'
import { archiveRows } from './speed/archives.ts'
import { downloadRows } from './speed/downloads.ts'
import { hashRows } from './speed/hashes.ts'
import { listingRows } from './speed/listings.ts'
import { manyRows } from './speed/many.ts'
import { searchRows } from './speed/searches.ts'
import { stalledRows } from './speed/stalled.ts'
import { startRows } from './speed/start.ts'
import { thumbnailRows } from './speed/thumbnails.ts'
import { trashRows } from './speed/trash.ts'
import { treeRows } from './speed/trees.ts'
import { uploadRows } from './speed/uploads.ts'
import { lineOf, titleOf } from './table.ts'
import { isInstalled } from './tools.ts'
import { closeAll, removeStaleRuns } from './workplace.ts'

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
// Rows with many files come first, and each row's files are removed at its end: for a minute after that ext4 checks each freed inode
// number before it uses one again, which takes longer than the measured work.
const speedRows: readonly Row[] = [
  ...uploadRows,
  ...treeRows,
  ...trashRows,
  ...archiveRows,
  ...downloadRows,
  ...hashRows,
  ...listingRows,
  ...searchRows,
  ...thumbnailRows,
  ...startRows,
  ...manyRows,
  ...stalledRows,
]

const wanted = process.argv.slice(2)
const names = ['load', ...[...speedRows, ...loadRows].map(({ name }) => name)]
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}: name any of ${names.join(', ')}`)
  process.exit(2)
}

let isEnding = false
for (const [signal, number] of Object.entries(signals)) {
  process.on(signal, () => {
    // Both the terminal and npm send SIGINT.
    if (isEnding) return
    isEnding = true
    void closeAll().finally(() => process.exit(128 + number))
  })
}
await removeStaleRuns()
process.env.HOLDALL_TEST_EXECUTABLE ??= await makeExecutable()
try {
  if (!isInstalled('nginx')) console.log('nginx is not installed: its lines are left out')
  for (const row of speedRows) if (wanted.length === 0 || wanted.includes(row.name)) await show(row)
  const load = loadRows.filter(({ name }) => wanted.includes('load') || wanted.includes(name))
  if (load.length > 0 && !(await runLoad(load))) process.exitCode = 1
} finally {
  await closeAll()
}

/** A failed row does not stop the others. */
async function show(row: Row): Promise<void> {
  if (isEnding) return
  console.log(titleOf(row))
  try {
    for (const result of await runRow(row)) console.log(lineOf(result))
  } catch (error) {
    if (isEnding) return
    console.log(`  failed: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
