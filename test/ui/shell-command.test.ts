import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { pageConfig } from '../../src-ui/api/page-config.ts'
import { commandTableSlice } from '../../src-ui/core/command.ts'
import { user } from '../../src-ui/core/session.ts'
import { shellSlice } from '../../src-ui/shell/shell.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'
import { target, workspace } from './workspace.ts'

const table = workspace.use(commandTableSlice)
const { afterEach } = hooksOf(import.meta.filename)

afterEach(() => {
  user.value = null
  pageConfig.EnableExec = false
  workspace.use(shellSlice).show(false)
})

test('Shell is offered with the execute permission, on a server that runs commands', () => {
  const isOffered = () => table.offered('more').some(({ id }) => id === 'shell')
  for (const execute of [false, true]) {
    for (const EnableExec of [false, true]) {
      user.value = { ...ann, perm: { ...allPermissions, execute } }
      pageConfig.EnableExec = EnableExec
      assert.equal(isOffered(), execute && EnableExec)
    }
  }
})

test('Shell opens and closes the panel', () => {
  const shell = table.get('shell')
  const { isOpen } = workspace.use(shellSlice)
  void shell.run(workspace, target())
  assert.equal(isOpen.value, true)
  void shell.run(workspace, target())
  assert.equal(isOpen.value, false)
})
