import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core'
import type { TokenUser } from '../src-server/contract/users.ts'
import { CommandTable, commandTableSlice } from './core/command.ts'
import { keepSession } from './core/keep-session.ts'
import { presenceSlice } from './core/presence.ts'
import { Workspace } from './core/workspace.ts'
import { features } from './features.ts'
import { uploadsSlice } from './uploads/uploads-slice.ts'

/** The commands of all features, in the order of the menus. */
export const commands = features.flatMap((feature) => feature.commands ?? [])

/** Makes a workspace and what all features want to exist from the start. */
export function createWorkspace(user: ReadonlySignal<TokenUser | null>): Workspace {
  const workspace = new Workspace(user)
  workspace.provide(commandTableSlice, new CommandTable(workspace, commands))
  for (const { slices = [] } of features) for (const slice of slices) workspace.use(slice)
  for (const feature of features) feature.start?.(workspace)
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
