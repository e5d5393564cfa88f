import style from 'holdall:part/overlays.css'
import { untracked } from '@preact/signals-core'
import { usageMeter } from './chrome/lazy-usage.ts'
import { loadedGroups } from './core/command-menu.tsx'
import { entryViewSlice } from './core/entry-view.ts'
import { LazyPart } from './core/lazy-part.ts'
import { loadStyle } from './core/lazy-style.ts'
import { noticesSlice } from './core/notices.ts'
import { type OpenOverlay, type Overlay, overlaysSlice } from './core/overlay.ts'
import { askToSignIn, isSignInAsked, postponeSignIn } from './core/session.ts'
import { tasksSlice } from './core/tasks.ts'
import type { Workspace } from './core/workspace.ts'
import { t } from './i18n/t.ts'
import { operationsPart } from './operations/lazy-operations.ts'
import { LazySettings } from './settings/lazy-settings.ts'
import { loadedMenu } from './ui/lazy-menu.tsx'
import { uploadsSlice } from './uploads/uploads-slice.ts'

type Part = Pick<
  typeof import('./overlays.tsx'),
  'ContextMenu' | 'Dialogs' | 'Dock' | 'follow' | 'Menu' | 'menuGroups' | 'UsageMeter'
>

/** Menus, dialogs, the palette, the transfers panel and live updates, which the first page does not need. */
export const overlayPart = new LazyPart<Part>(async () => {
  const [{ ContextMenu, Dialogs, Dock, follow, Menu, menuGroups, UsageMeter }] = await Promise.all([
    import('./overlays.tsx'),
    loadStyle(style),
    operationsPart.load(),
  ])
  return { ContextMenu, Dialogs, Dock, follow, Menu, menuGroups, UsageMeter }
})

/** Loads the overlays when the first page has been rendered and is idle, or at once when one is opened. */
export function loadOverlays(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  const { current } = overlays
  const { state } = workspace.use(entryViewSlice)
  const { isPanelShown } = workspace.use(uploadsSlice)
  let isFollowed = false
  workspace.effect(() => {
    const part = overlayPart.value.value
    if (part && !isFollowed) {
      isFollowed = true
      untracked(() => begin(workspace, part))
    }
    if (part) return
    const wanted = current.value
    if (isSignInAsked.value) void loadFor(workspace, askToSignIn, postponeSignIn)
    else if (needsPart(wanted))
      void loadFor(
        workspace,
        () => overlays.open(wanted),
        () => overlays.close(),
      )
    // Without it the uploads go on; only their panel is missing.
    else if (isPanelShown.value) void overlayPart.load().catch(() => undefined)
    else if (state.value.kind !== 'nothing' || LazySettings.part.value.value) overlayPart.preload()
  })
}

/** Menus come after the commands of this part: an entry that is added to an open menu would move the others under the pointer. */
function begin(workspace: Workspace, { follow, Menu, menuGroups, UsageMeter }: Part): void {
  follow(workspace)
  loadedMenu.value = Menu
  loadedGroups.value = menuGroups
  usageMeter.value = UsageMeter
}

/** The sidebar and renaming in a row are part of the first page. */
const needsPart = (overlay: Overlay): overlay is OpenOverlay =>
  overlay.kind !== 'none' && overlay.kind !== 'sidebar' && !(overlay.kind === 'rename' && overlay.inPlace)

async function loadFor(workspace: Workspace, open: () => void, close: () => void): Promise<void> {
  try {
    await workspace.use(tasksSlice).track(() => overlayPart.load())
  } catch {
    close()
    const retry = { label: t('action.retry'), run: open }
    workspace.use(noticesSlice).fail(t('app.notLoaded'), t('app.notLoadedText'), retry)
  }
}
