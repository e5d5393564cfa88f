// The workspace of the user that a test signs in. The tests of all files run in one process and share it.
import { selectionTarget } from '../../src-ui/core/command.ts'
import { user } from '../../src-ui/core/session.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'

export const workspace = createWorkspace(user)

/** The target of a command that no menu has opened: the selection. */
export const target = () => selectionTarget(workspace)
