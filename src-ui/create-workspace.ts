import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core'
import type { TokenUser } from '../src-server/contract/users.ts'
import { appCommands } from './chrome/commands.ts'
import { type Command, CommandTable, commandTableSlice } from './core/command.ts'
import { keepSession } from './core/keep-session.ts'
import { presenceSlice } from './core/presence.ts'
import { Workspace } from './core/workspace.ts'
import { listingCommands } from './listing/commands.ts'
import { listingSlice } from './listing/listing.ts'
import { loadAfterSignIn, refreshOnReturn } from './listing/refresh-when-due.ts'
import { typeToJumpSlice } from './listing/type-to-jump.ts'
import { operationCommands } from './operations/commands.ts'
import { uploadCommands } from './uploads/commands.ts'
import { uploadsSlice } from './uploads/uploads.ts'

/** The commands of all features. The order is that of the menus. */
export const commands: readonly Command[] = [...appCommands, ...listingCommands, ...operationCommands, ...uploadCommands]

/** Makes a workspace with the features that start with it. */
export function createWorkspace(user: ReadonlySignal<TokenUser | null>): Workspace {
  const workspace = new Workspace(user)
  workspace.provide(commandTableSlice, new CommandTable(workspace, commands))
  workspace.use(listingSlice)
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
 * The workspace of whoever is signed in, or of nobody: when the person changes, the old one is disposed and a new one made.
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

// A disposed workspace never sees the next person.
function ownWorkspace(user: ReadonlySignal<TokenUser | null>, id: number | undefined): Workspace {
  return createWorkspace(computed(() => (user.value?.id === id ? user.value : null)))
}
