import { formatDateBeside } from '../i18n/age.ts'
import { formatDate, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { view } from './view.tsx'

/** `size` in bytes, `modified` in milliseconds since the epoch; NaN when unknown. */
export type Version = { title: string; size: number; modified: number }

/** Compares the new file with the existing one by date and size. */
export const Versions = view(function Versions({ coming, there }: { coming: Version; there: Version }) {
  return (
    <dl className="versus">
      <VersionCard version={coming} other={there} />
      <VersionCard version={there} other={coming} />
    </dl>
  )
})

function VersionCard({ version, other }: { version: Version; other: Version }) {
  const isNewer = secondOf(version) > secondOf(other)
  const isLarger = version.size > other.size
  const date =
    secondOf(version) === secondOf(other) ? formatDate(version.modified) : formatDateBeside(version.modified, other.modified)
  const size = Number.isNaN(version.size) ? '' : formatSize(version.size)
  return (
    <div className="version">
      <dt>{version.title}</dt>
      <dd className={isNewer ? 'is-more' : undefined}>{isNewer ? t('prompts.replace.newer', { date }) : date}</dd>
      <dd className={isLarger ? 'is-more' : undefined}>{isLarger ? t('prompts.replace.larger', { size }) : size}</dd>
    </div>
  )
}

// The page shows no smaller unit, and not every disk keeps one.
const secondOf = ({ modified }: Version): number => Math.floor(modified / 1000)
