import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core'
import type { TokenUser } from '../src-server/contract/users.ts'
import { appCommands } from './chrome/commands.ts'
import { type Command, CommandTable, commandTableSlice } from './core/command.ts'
import { keepSession } from './core/keep-session.ts'
import { presenceSlice } from './core/presence.ts'
import { Workspace } from './core/workspace.ts'
import { editorCommands } from './editor/commands.ts'
import { listingCommands } from './listing/commands.ts'
import { listingSlice } from './listing/listing.ts'
import { loadAfterSignIn, refreshOnReturn } from './listing/refresh-when-due.ts'
import { shownFileSlice } from './listing/shown-file.ts'
import { typeToJumpSlice } from './listing/type-to-jump.ts'
import { operationCommands } from './operations/commands.ts'
import { previewCommands } from './preview/commands.ts'
import { previewSlice } from './preview/preview.ts'
import { searchCommands } from './search/commands.ts'
import { shareCommands } from './shares/commands.ts'
import { shellCommands } from './shell/commands.ts'
import { uploadCommands } from './uploads/commands.ts'
import { uploadsSlice } from './uploads/uploads.ts'

/** The commands of all features, in the order of the menus. */
export const commands: readonly Command[] = [
  ...appCommands,
  ...listingCommands,
  ...searchCommands,
  ...previewCommands,
  ...editorCommands,
  ...shareCommands,
  ...operationCommands,
  ...uploadCommands,
  ...shellCommands,
]

/** Makes a workspace and the slices that must exist from the start. */
export function createWorkspace(user: ReadonlySignal<TokenUser | null>): Workspace {
  const workspace = new Workspace(user)
  workspace.provide(commandTableSlice, new CommandTable(workspace, commands))
  workspace.use(listingSlice)
  workspace.use(shownFileSlice)
  workspace.use(previewSlice)
  refreshOnReturn(workspace)
  loadAfterSignIn(workspace)
  workspace.use(typeToJumpSlice)
  const { isUploading } = workspace.use(uploadsSlice)
  const { isVisible } = workspace.use(presenceSlice)
  keepSession(
    workspace,
    computed(() => isVisible.value || isUploading.value),
  )
  return workspace
}

/**
 * The workspace of the signed-in user, or one without a user. When the user changes, it is disposed and replaced by a new one.
 * @param start called for each new workspace
 */
export function followUser(
  user: ReadonlySignal<TokenUser | null>,
  start: (workspace: Workspace) => void = () => {},
): ReadonlySignal<Workspace> {
  const id = computed(() => user.value?.id)
  const current = signal(ownWorkspace(user, id.value))
  start(current.value)
  let owner = id.value
  effect(() => {
    if (id.value === owner) return
    owner = id.value
    current.peek().dispose()
    current.value = ownWorkspace(user, owner)
    start(current.peek())
  })
  return current
}

// A disposed workspace does not get the next user.
function ownWorkspace(user: ReadonlySignal<TokenUser | null>, id: number | undefined): Workspace {
  return createWorkspace(computed(() => (user.value?.id === id ? user.value : null)))
}
