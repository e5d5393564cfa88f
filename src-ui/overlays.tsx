// Menus, dialogs, the transfers panel, the palette, the help and live updates: one lazy part, loaded after the first page.
import 'holdall:icons/later'
import 'holdall:words/later'
import { Direction } from 'radix-ui'
import { type FC, useCallback } from 'react'
import { actsLater } from './acts/feature-later.ts'
import { ContextMenu as AnyContextMenu } from './chrome/context-menu.tsx'
import { Dock as Panels } from './chrome/dock.tsx'
import { DragBadge } from './chrome/drag-badge.tsx'
import { commandTableSlice } from './core/command.ts'
import type { LaterFeature } from './core/feature.ts'
import { type OverlayKinds, overlaysSlice } from './core/overlay.ts'
import { followVersion } from './core/renew-page.ts'
import { useSlice } from './core/use-workspace.ts'
import type { Workspace } from './core/workspace.ts'
import { editorLater } from './editor/feature-later.tsx'
import { locale } from './i18n/locale.ts'
import { jobsLater } from './jobs/feature-later.ts'
import { listingLater } from './listing/feature-later.ts'
import { operationsLater } from './operations/feature-later.tsx'
import { paletteLater } from './palette/feature-later.tsx'
import { previewLater } from './preview/feature-later.tsx'
import { searchLater } from './search/feature-later.tsx'
import { sessionLater } from './session/feature-later.tsx'
import { SignInPrompt } from './session/sign-in-prompt.tsx'
import { settingsLater } from './settings/feature-later.tsx'
import { sharesLater } from './shares/feature-later.tsx'
import { shellLater } from './shell/feature-later.tsx'
import { Menu as AnyMenu } from './ui/menu.tsx'
import { view } from './ui/view.tsx'
import { uploadsLater } from './uploads/feature-later.tsx'
import { usersLater } from './users/feature-later.tsx'

export { UsageMeter } from './chrome/usage-meter.tsx'
export { menuGroups } from './core/menu-entries.ts'

/** In the order of the panels. */
const features = [
  listingLater,
  searchLater,
  previewLater,
  editorLater,
  sharesLater,
  operationsLater,
  shellLater,
  jobsLater,
  actsLater,
  uploadsLater,
  paletteLater,
  settingsLater,
  usersLater,
  sessionLater,
] as const
const all: readonly LaterFeature[] = features

/** The kinds that are drawn where they are opened: the drawer, menus, and what is asked in the list of all links and in the trash. */
type InPlace =
  | 'none'
  | 'sidebar'
  | 'context'
  | 'more'
  | 'new'
  | 'sort'
  | 'view'
  | 'viewer'
  | 'path'
  | 'subtitles'
  | LinkQuestion
  | 'purge'
type LinkQuestion = 'deleteShares' | 'editShare'
type Drawn<F> = F extends { overlays: infer Overlays } ? keyof Overlays : never
/** Kinds that no feature draws: with one, the next line is an error. */
type Forgotten = Exclude<keyof OverlayKinds, Drawn<(typeof features)[number]> | InPlace>

type Drawing = FC<{ onClose: () => void }>
const drawings: Readonly<Record<string, Drawing | undefined>> & Record<Forgotten, Drawing> = Object.fromEntries(
  all.flatMap(({ overlays }) => Object.entries(overlays ?? {}) as [string, Drawing][]),
)

/** What a workspace does from now on. */
export function follow(workspace: Workspace): void {
  workspace.use(commandTableSlice).add(all.flatMap(({ commands = [] }) => commands))
  for (const feature of all) feature.follow?.(workspace)
  followVersion(workspace)
}

export const Menu = directed(AnyMenu)
export const ContextMenu = directed(AnyContextMenu)
export const Dialogs = directed(
  view(function Dialogs() {
    const overlays = useSlice(overlaysSlice)
    const { value } = overlays.current
    const { kind } = value
    const onClose = useCallback(() => overlays.close(kind), [overlays, kind])
    const Drawing = drawings[kind]
    return (
      <>
        {Drawing && <Drawing {...value} onClose={onClose} />}
        <SignInPrompt />
        <DragBadge />
      </>
    )
  }),
)

const panels = all.flatMap(({ panels = {} }) => Object.entries(panels)).map(([name, Panel]) => <Panel key={name} />)
/** The panels of all features. */
export const Dock = () => <Panels>{panels}</Panels>

/** Provides a component of Radix with the reading direction for arrow keys and positions. */
function directed<P extends object>(Component: FC<P>): FC<P> {
  return view(function Directed(props: P) {
    return (
      <Direction.Provider dir={locale.value.dir}>
        <Component {...props} />
      </Direction.Provider>
    )
  })
}
