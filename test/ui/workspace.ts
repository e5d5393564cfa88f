// The workspace of the user that a test signs in. The tests of all files run in one process and share it.
import { registerHooks } from 'node:module'
import { selectionTarget } from '../../src-ui/core/command.ts'
import { user } from '../../src-ui/core/session.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'

// Words, icons and styles that only the bundler resolves: the tests have all words, and draw nothing.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('holdall:')
      ? { url: 'data:text/javascript,export default ""', shortCircuit: true }
      : next(specifier, context),
})

export const workspace = createWorkspace(user)

/** The target of a command that no menu has opened: the selection. */
export const target = () => selectionTarget(workspace)
