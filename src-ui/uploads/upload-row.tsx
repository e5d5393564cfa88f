import { memo } from 'react'
import { nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatPercent, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { uploadFailureReason } from './failure-cause.ts'
import type { Phase, UploadJob } from './upload-jobs.ts'
import { uploadsSlice } from './uploads-slice.ts'

type Props = {
  job: UploadJob
  phase: Phase
  loaded: number
  path: string
  /** Bytes per second, while it is sent and known. */
  speed: number | undefined
  /** Of its words: it is memoized, and drawn anew in another language. */
  language: string
}

/** One upload: its name, its progress or why it failed, and its buttons. */
export const UploadRow = memo(function UploadRow({ job, phase, loaded, path, speed }: Props) {
  const name = nameOf(path)
  const part = job.size > 0 ? loaded / job.size : 0
  return (
    <>
      <FileIcon of={{ name, isDir: !job.file, type: typeOf(job.file?.type) }} />
      <span className="transfer-name">
        <FileName name={name} isDir={!job.file} title={path} />
      </span>
      {(phase === 'sending' || (phase === 'waiting' && loaded > 0)) && job.file && (
        <ProgressBar
          value={Math.ceil(part * 100)}
          label={t('uploads.meter', { name: isolate(name) })}
          paused={phase === 'waiting'}
        />
      )}
      <span className="transfer-state">{stateOf(job, { phase, loaded, speed })}</span>
      <Actions job={job} phase={phase} name={name} />
    </>
  )
})

function Actions({ job: { id, isCompared }, phase, name }: { job: UploadJob; phase: Phase; name: string }) {
  const uploads = useSlice(uploadsSlice)
  const isolated = { name: isolate(name) }
  if (phase === 'done')
    return (
      <span className="transfer-actions">
        {/* Of what arrived in pieces it says that they were compared. */}
        {isCompared !== false && <Icon name="circle-check" className="icon-done" />}
      </span>
    )
  const isOver = phase === 'failed' || phase === 'skipped'
  return (
    <span className="transfer-actions">
      {isOver && (
        <IconButton icon="refresh" small smallIcon label={t('uploads.retry', isolated)} onClick={() => uploads.retry(id)} />
      )}
      <IconButton
        icon="x"
        small
        smallIcon
        label={t(isOver ? 'uploads.dismiss' : 'uploads.cancel', isolated)}
        onClick={() => uploads.cancel(id)}
      />
    </span>
  )
}

function stateOf(job: UploadJob, { phase, loaded, speed }: Pick<Props, 'phase' | 'loaded' | 'speed'>): string {
  if (phase === 'failed') return job.failure ? uploadFailureReason(job.failure) : ''
  if (phase === 'asking') return t('uploads.asking')
  if (phase === 'skipped') return t('uploads.skipped')
  if (!job.file) return t(phase === 'waiting' ? 'uploads.waiting' : 'uploads.folder')
  if (phase === 'done') return formatSize(job.size)
  if (phase === 'waiting' && loaded > 0) return t('uploads.kept', partOf(job, loaded))
  if (phase === 'waiting') return t('uploads.waitingSize', { size: formatSize(job.size) })
  if (loaded === job.size && job.size > 0) return t('uploads.finishing')
  const progress = t('uploads.progress', partOf(job, loaded))
  return speed === undefined ? progress : `${progress} · ${t('uploads.speed', { size: formatSize(Math.round(speed)) })}`
}

// Some languages write the percent sign with a mark that changes the direction of the following text.
const partOf = ({ size }: UploadJob, loaded: number) => ({
  percent: isolate(formatPercent(size > 0 ? loaded / size : 0)),
  loaded: formatSize(loaded),
  total: formatSize(size),
})

/** The server's type of a file for a media type: `image` for `image/png`. */
export function typeOf(mediaType = ''): string {
  const [group = ''] = mediaType.split('/')
  if (mediaType === 'application/pdf') return 'pdf'
  return ['image', 'video', 'audio', 'text'].includes(group) ? group : 'others'
}
