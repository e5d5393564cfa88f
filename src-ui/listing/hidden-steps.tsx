import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { dragSlice } from '../core/drag.ts'
import { go } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { stepsAbove } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import type { MenuEntry } from '../ui/menu-items.tsx'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** The menu of the folders that the path has no room for. */
    path: object
  }
}

type Props = {
  /** The folder that takes what is dropped on the button; undefined when the button replaces no folder on a wide page. */
  folder: string | undefined
}

/** A button in place of the folders that the path has no room for. It opens a menu of them, the nearest last. */
export const HiddenSteps = view(function HiddenSteps({ folder }: Props) {
  const label = t('listing.hiddenFolders')
  const overlays = useSlice(overlaysSlice)
  const listing = useSlice(listingSlice)
  const dragState = useSlice(dragSlice)
  const isOpen = overlays.current.value.kind === 'path'
  return (
    <LazyMenu
      label={label}
      align="start"
      open={isOpen}
      onOpenChange={(wanted) => (wanted ? overlays.open({ kind: 'path' }) : overlays.close('path'))}
      groups={[isOpen ? hiddenSteps(listing.currentPath.value) : []]}
    >
      <button
        type="button"
        className="crumb"
        aria-label={label}
        title={label}
        data-folder={folder}
        data-drop={folder === undefined ? undefined : dragState.markOf(folder)}
      >
        …
      </button>
    </LazyMenu>
  )
})

// The style sheet decides which folders have room.
function hiddenSteps(path: string): MenuEntry[] {
  const links = [...document.querySelectorAll<HTMLElement>('a.crumb')].filter((link) => link.checkVisibility())
  const shown = new Set(links.map((link) => link.dataset.folder))
  const hidden = stepsAbove(path).filter((step) => !shown.has(step.path))
  return hidden.map((step) => ({
    id: step.path,
    label: visibleName(step.name) || t('sidebar.myFiles'),
    icon: 'folder',
    onSelect: () => go(pageOf(step.path, true).slice(baseURL.length)),
  }))
}
