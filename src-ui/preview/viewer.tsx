// The preview screen: one file in the whole window. A lazy part.
import { useEffect, useRef } from 'react'
import type { Entry } from '../core/entries.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { pageSlice } from '../core/page.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import type { MenuEntry } from '../ui/menu-items.tsx'
import { view } from '../ui/view.tsx'
import { FileContent, viewers } from './file-content.tsx'
import { kindOf } from './kinds.ts'
import { PictureTools } from './picture-tools.tsx'
import { prefetchedSlice } from './prefetched.ts'
import { previewSlice } from './preview.ts'
import { tracksOf } from './subtitles.ts'
import { useIdle } from './use-idle.ts'
import { ViewerHeader } from './viewer-header.tsx'

/** The shown file, with its header and the buttons to its neighbours. */
export const Viewer = view(function Viewer() {
  const workspace = useWorkspace()
  const fileView = workspace.use(fileViewSlice)
  const page = workspace.use(pageSlice)
  const section = useRef<HTMLElement>(null)
  const file = fileView.file.value
  useEffect(() => {
    page.isFilled.value = true
    return () => {
      page.isFilled.value = false
    }
  }, [page])
  usePrefetch(fileView.neighbours.value.next)
  const viewer = file && viewers[kindOf(file)]
  useIdle(section, viewer?.fades ?? false)
  if (!file) return null
  return (
    <section ref={section} className="viewer" data-theme="dark" data-region aria-label={file.name} tabIndex={-1}>
      <ViewerHeader file={file} tools={<ViewerTools file={file} />} />
      <div className={viewer?.isFull ? 'viewer-stage viewer-stage-full' : 'viewer-stage'}>
        <FileContent file={file} />
        <Step to="previous" />
        <Step to="next" />
      </div>
    </section>
  )
})

const ViewerTools = view(function ViewerTools({ file }: { file: Entry }) {
  return (
    <>
      <PictureTools />
      <SubtitleMenu file={file} />
    </>
  )
})

const Step = view(function Step({ to }: { to: 'previous' | 'next' }) {
  const fileView = useSlice(fileViewSlice)
  const neighbour = fileView.neighbours.value[to]
  if (!neighbour) return null
  const label = t(`preview.${to}`)
  return (
    <button
      type="button"
      className={`viewer-step viewer-step-${to}`}
      aria-label={label}
      title={label}
      onClick={() => fileView.show(neighbour.path)}
    >
      <Icon name={to === 'next' ? 'chevron-right' : 'chevron-left'} />
    </button>
  )
})

/** Chooses the subtitles of a video; nothing when it has none. */
const SubtitleMenu = view(function SubtitleMenu({ file }: { file: Entry }) {
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

/** Bytes beyond which a file is not loaded ahead. */
const largestAhead = 30_000_000

/** Loads the next picture while this one is looked at. Nothing is loaded ahead for people who save data. */
function usePrefetch(next: Entry | undefined): void {
  const workspace = useWorkspace()
  const prefetched = workspace.use(prefetchedSlice)
  const { isFullSize, isShown } = workspace.use(previewSlice)
  const [isFull, isReady] = [isFullSize.value, isShown.value]
  const isWanted = next !== undefined && kindOf(next) === 'picture' && next.size <= largestAhead && !savesData()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a picture is the same while its path is
  useEffect(() => {
    // The shown picture comes first.
    if (isReady && isWanted && workspace.may('download')) prefetched.prepare(next, isFull)
  }, [prefetched, next?.path, isWanted, isFull, isReady])
  useEffect(() => () => prefetched.drop(), [prefetched])
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false
