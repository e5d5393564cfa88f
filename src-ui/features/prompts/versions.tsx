import { formatDate, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import type { UploadJob } from '../../state/upload-job.ts'
import { Icon } from '../../ui/icon.tsx'
import { view } from '../../view.tsx'

type Version = { size: number; modified: number }

/** The file that comes beside the one that is there: when, how large, and which is newer and larger. */
export const Versions = view(function Versions({ job }: { job: UploadJob }) {
  const yours = { size: job.size, modified: job.file instanceof File ? job.file.lastModified : Number.NaN }
  if (job.existing?.isDir)
    return (
      <p className="notice">
        <Icon name="folder" />
        <span>{t('prompts.replace.folderInWay')}</span>
      </p>
    )
  const there = { size: job.existing?.size ?? Number.NaN, modified: Date.parse(job.existing?.modified ?? '') }
  return (
    <dl className="versus">
      <VersionCard title={t('prompts.replace.yours')} version={yours} other={there} />
      <VersionCard title={t('prompts.replace.there')} version={there} other={yours} />
    </dl>
  )
})

function VersionCard({ title, version, other }: { title: string; version: Version; other: Version }) {
  const isNewer = version.modified > other.modified
  const isLarger = version.size > other.size
  const date = formatDate(version.modified)
  const size = Number.isNaN(version.size) ? '' : formatSize(version.size)
  return (
    <div className="version">
      <dt>{title}</dt>
      <dd className={isNewer ? 'is-more' : undefined}>{isNewer ? t('prompts.replace.newer', { date }) : date}</dd>
      <dd className={isLarger ? 'is-more' : undefined}>{isLarger ? t('prompts.replace.larger', { size }) : size}</dd>
    </div>
  )
}
