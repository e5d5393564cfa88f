import type { LaterFeature } from '../core/feature.ts'
import type { Workspace } from '../core/workspace.ts'
import { AnnouncedSelection } from './announced-selection.ts'
import { listingSlice } from './listing.ts'
import { followLive } from './live-folder.ts'

export const listingLater = { follow } satisfies LaterFeature

function follow(workspace: Workspace): void {
  followLive(workspace)
  followSelection(workspace)
}

function followSelection(workspace: Workspace): void {
  const { selected, sortedEntries } = workspace.use(listingSlice)
  const announced = new AnnouncedSelection(workspace, selected.peek().length, sortedEntries.peek())
  workspace.effect(() => announced.note(selected.value.length, sortedEntries.value))
}
