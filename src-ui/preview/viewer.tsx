// The preview screen: one file in the whole window. A lazy part.
import { useEffect, useRef } from 'react'
import type { Entry } from '../core/entries.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { pageSlice } from '../core/page.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { FileContent, viewers } from './file-content.tsx'
import { kindOf } from './kinds.ts'
import { PictureTools } from './picture-tools.tsx'
import { SubtitleMenu } from './subtitle-menu.tsx'
import { useIdle } from './use-idle.ts'
import { usePrefetch } from './use-prefetch.ts'
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
