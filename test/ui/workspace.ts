// The workspace of whoever a test signs in. The tests of all files run in one process and share it.
import { selectionTarget } from '../../src-ui/core/command.ts'
import { user } from '../../src-ui/core/session.ts'
import { createWorkspace } from '../../src-ui/create-workspace.ts'

export const workspace = createWorkspace(user)

/** What a command acts on when no menu names something else. */
export const target = () => selectionTarget(workspace)
