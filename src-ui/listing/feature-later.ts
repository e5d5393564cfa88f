import type { LaterFeature } from '../core/feature.ts'
import type { Workspace } from '../core/workspace.ts'
import { announceSelected } from './announced-selection.ts'
import { listingSlice } from './listing.ts'
import { followLive } from './live-folder.ts'

export const listingLater = { follow } satisfies LaterFeature

function follow(workspace: Workspace): void {
  followLive(workspace)
  const { selected, sortedEntries } = workspace.use(listingSlice)
  workspace.onDispose(announceSelected(workspace, { selected, shown: sortedEntries }))
}
