import { useRef } from 'react'
import { fileViewSlice, nextOfType } from '../core/file-view.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { contentAddress, type ShownFile } from './content-address.ts'
import { ShowFailure } from './show-failure.tsx'
import { usePlayer } from './use-player.ts'
import { useSwipe } from './use-swipe.ts'

/** An audio file. At its end the next audio file of the folder follows. */
export const AudioViewer = view(function AudioViewer({ file }: { file: ShownFile }) {
  const fileView = useWorkspace().use(fileViewSlice)
  const card = useRef<HTMLDivElement>(null)
  const audio = useRef<HTMLAudioElement>(null)
  const next = file.trashed ? undefined : nextOfType(fileView.siblings.value, file.path, 'audio')
  const { failure, retry } = usePlayer(audio, file, () => {
    const following = file.trashed ? undefined : nextOfType(fileView.siblings.peek(), file.path, 'audio')
    if (following) fileView.show(following.path)
    return following !== undefined
  })
  useSwipe(card)
  if (failure !== undefined) return <ShowFailure file={file} failure={failure} onRetry={retry} />
  return (
    <div ref={card} className="viewer-card viewer-sound">
      <span className="viewer-cover">
        <FileIcon of={{ name: file.name, type: 'audio' }} />
      </span>
      <FileName name={file.name} title={file.name} />
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions for recordings of people */}
      <audio
        ref={audio}
        className="viewer-audio"
        src={contentAddress(file, { inline: true })}
        controls
        preload="metadata"
        aria-label={file.name}
      />
      {next && <p className="muted">{t('preview.upNext', { name: isolate(visibleName(next.name)) })}</p>}
    </div>
  )
})
