import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import type { Feature } from '../core/feature.ts'
import { overlaysSlice } from '../core/overlay.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** The public links of an entry. */
    share: { entry: Entry }
  }
}

/** The command that opens the public links of one entry. */
export const shareFeature: Feature = {
  commands: [
    {
      id: 'share',
      label: 'command.share',
      icon: 'share-2',
      scope: 'listing',
      places: ['more', 'selection', 'context', 'viewer'],
      group: 'download',
      allowed: (workspace) => workspace.may('download') && workspace.use(entryViewSlice).mayOnItems('share'),
      ready: (_workspace, { items: [only, ...others] }) => only !== undefined && others.length === 0 && !only.unreachable,
      reason: (_workspace, { items: { length } }) =>
        length === 0 ? 'command.reason.someItem' : length > 1 ? 'command.reason.oneItem' : 'command.reason.unreachable',
      run: (workspace, { items: [entry] }) => entry && workspace.use(overlaysSlice).open({ kind: 'share', entry }),
    },
  ],
}
