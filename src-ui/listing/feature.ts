import type { Feature } from '../core/feature.ts'
import { listingCommands } from './commands.ts'
import { listingSlice } from './listing.ts'
import { loadAfterSignIn, refreshOnReturn } from './refresh-when-due.ts'
import { shownFileSlice } from './shown-file.ts'
import { typeToJumpSlice } from './type-to-jump.ts'

export const listingFeature: Feature = {
  commands: listingCommands,
  slices: [listingSlice, shownFileSlice, typeToJumpSlice],
  start(workspace) {
    refreshOnReturn(workspace)
    loadAfterSignIn(workspace)
  },
}
