import { useRef } from 'react'
import { subtitleAddress } from '../api/addresses.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { contentAddress, type ShownFile } from './content-address.ts'
import { previewSlice } from './preview.ts'
import { ShowFailure } from './show-failure.tsx'
import { tracksOf } from './subtitles.ts'
import { usePlayer } from './use-player.ts'
import { useSwipe } from './use-swipe.ts'

/** A video with the browser's own controls and its subtitles. */
export const VideoViewer = view(function VideoViewer({ file }: { file: ShownFile }) {
  const workspace = useWorkspace()
  const preview = workspace.use(previewSlice)
  const video = useRef<HTMLVideoElement>(null)
  const { failure, retry } = usePlayer(video, file)
  useSwipe(video)
  const tracks = tracksOf(file.name, file.subtitles ?? [])
  const chosen = preview.subtitles.value
  if (failure !== undefined) return <ShowFailure file={file} failure={failure} onRetry={retry} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: a video has the subtitles that are beside it
    <video
      ref={video}
      className="viewer-video"
      src={contentAddress(file, { inline: true })}
      controls
      playsInline
      preload="metadata"
      aria-label={file.name}
    >
      {tracks.map(({ path, language, label }) => (
        <track
          key={path}
          ref={(track) => {
            if (track) track.track.mode = path === chosen ? 'showing' : 'disabled'
          }}
          kind="subtitles"
          src={subtitleAddress(path)}
          srcLang={language}
          label={label}
          onError={() => workspace.use(noticesSlice).fail(t('preview.subtitlesFailed', { name: isolate(nameOf(path)) }))}
        />
      ))}
    </video>
  )
})
