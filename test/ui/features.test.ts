import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import { type Slice, Workspace } from '../../src-ui/core/workspace.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'
import { features } from '../../src-ui/features.ts'

const top = resolve(import.meta.dirname, '../../src-ui')

/** What the modules of a pattern export. */
async function exportsOf(pattern: string): Promise<unknown[]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: top }))
  const modules = await Promise.all(files.map((file) => import(join(top, file)) as Promise<Record<string, unknown>>))
  return modules.flatMap((one) => Object.values(one))
}

const isRequired = (value: unknown): value is Slice<object> =>
  typeof value === 'object' && value !== null && 'isRequired' in value

test('a new workspace has every slice that core declares for a feature', async (t) => {
  const required = (await exportsOf('core/*.ts')).filter(isRequired)
  const provide = t.mock.method(Workspace.prototype, 'provide')
  createWorkspace(signal(null)).dispose()
  const provided = provide.mock.calls.map(({ arguments: [slice] }) => slice)
  assert.ok(required.length > 2)
  assert.deepEqual(
    required.filter((slice) => !provided.includes(slice)).map(({ name }) => name),
    [],
  )
})

test('every feature with a manifest is in the list of features', async () => {
  const manifests = await exportsOf('*/feature.ts')
  assert.deepEqual(new Set(features), new Set(manifests))
})
