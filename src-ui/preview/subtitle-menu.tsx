import type { Entry } from '../core/entries.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import type { MenuEntry } from '../ui/menu-items.tsx'
import { view } from '../ui/view.tsx'
import { previewSlice } from './preview.ts'
import { tracksOf } from './subtitles.ts'

/** Chooses the subtitles of a video; nothing when it has none. */
export const SubtitleMenu = view(function SubtitleMenu({ file }: { file: Entry }) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const { subtitles } = workspace.use(previewSlice)
  const tracks = tracksOf(file.name, file.subtitles ?? [])
  if (file.type !== 'video' || tracks.length === 0) return null
  const chosen = tracks.some(({ path }) => path === subtitles.value) ? subtitles.value : undefined
  const entryOf = (path: string | undefined, label: string): MenuEntry => ({
    id: path ?? '',
    label,
    checked: path === chosen,
    onSelect: () => {
      subtitles.value = path
    },
  })
  return (
    <LazyMenu
      label={t('preview.subtitles')}
      open={overlays.current.value.kind === 'subtitles'}
      onOpenChange={(wanted) => (wanted ? overlays.open({ kind: 'subtitles' }) : overlays.close('subtitles'))}
      groups={[[entryOf(undefined, t('preview.noSubtitles'))], tracks.map(({ path, label }) => entryOf(path, label))]}
    >
      <IconButton icon="badge-cc" label={t('preview.subtitles')} pressed={chosen !== undefined} />
    </LazyMenu>
  )
})
