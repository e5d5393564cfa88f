// The state and its backups are kept open, so that their inode numbers are not reused: see src-server/disk/state-files.ts.
import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { openBelow } from '../support/open-below.ts'
import { plant, temporaryFolder } from '../support/tree.ts'
import { until } from '../support/until.ts'

test('the handles on the state are closed at the end, and none is opened afterwards', async (t) => {
  const root = await temporaryFolder(t)
  await plant(root, { 'state.json': 'secret', 'state.json.backup-2026': 'secret' })
  const stateFile = join(root, 'state.json')
  const protectedPaths = ProtectedPaths.of({ stateFile, files: [], folders: [] })
  await protectedPaths.refresh()
  assert.deepEqual(openBelow(root).sort(), [root, stateFile, `${stateFile}.backup-2026`])
  const refreshing = protectedPaths.refreshState()
  await protectedPaths.close()
  await refreshing
  await until(() => openBelow(root).length === 0, 'a handle is still open')
  writeFileSync(`${stateFile}.tmp-1`, 'secret')
  renameSync(`${stateFile}.tmp-1`, stateFile)
  await protectedPaths.refreshState()
  assert.deepEqual(openBelow(root), [])
})

test('a state that was replaced is no longer open when the next one is', async (t) => {
  const root = await temporaryFolder(t)
  await plant(root, { 'state.json': 'secret' })
  const stateFile = join(root, 'state.json')
  const protectedPaths = ProtectedPaths.of({ stateFile, files: [], folders: [] })
  t.after(() => protectedPaths.close())
  await protectedPaths.refresh()
  for (const text of ['second', 'third']) {
    writeFileSync(`${stateFile}.tmp-1`, text)
    renameSync(`${stateFile}.tmp-1`, stateFile)
    await protectedPaths.refreshState()
    // It is closed beside the next work.
    const open = [root, stateFile].join()
    await until(() => openBelow(root).sort().join() === open, 'only the present state is open')
  }
})
