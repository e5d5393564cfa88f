import { type CSSProperties, memo } from 'react'
import { callForFile } from '../api/http.ts'
import { parentOf } from '../core/paths.ts'
import { slice } from '../core/workspace.ts'
import { formatDays } from '../i18n/days.ts'
import { formatDate, formatDay, formatExactDate, formatExactSize, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { TilePicture } from '../listing/thumbnail.tsx'
import { Thumbnails } from '../listing/thumbnails.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import type { TrashRow as Row } from './trash-items.ts'

type Props = {
  row: Row
  /** `aria-rowindex`: counted from 1, column headers included. */
  line: number
  /** Pixels from the top. */
  start: number
  isSelected: boolean
  isTabStop: boolean
  isNarrow: boolean
  isPhone: boolean
  /** For how many days something is kept. */
  days: number
  /** Of its words: it is memoized, and drawn anew in another language. */
  language: string
}

/** One entry of the trash: what it is, where it was, and how long it stays. */
export const TrashRow = memo(function TrashRow({ row, line, start, isSelected, isTabStop, isNarrow, isPhone, days }: Props) {
  const { key, name, isDir, path, size, deletedAt, dueAt, by, why, mayPurge, isOthers } = row
  const folder = folderOf(path)
  return (
    <div
      className="row"
      role="row"
      aria-rowindex={line}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      data-entry={key}
      style={{ insetBlockStart: start }}
    >
      <span className="check" data-on={isSelected || undefined} data-check aria-hidden="true" />
      <span className="row-name" role="gridcell">
        {row.type === 'image' ? <Picture of={row} /> : <FileIcon of={row} />}
        <FileName name={name} isDir={isDir} title={name} />
        {why === 'replace' && <span className="tag">{t('trash.version')}</span>}
        {isOthers && (
          <span className="tag" title={t('trash.othersHint')}>
            {t('trash.others')}
          </span>
        )}
      </span>
      <span className="row-from" role="gridcell" title={folder}>
        <bdi>{folder}</bdi>
      </span>
      <span className="row-date" role="gridcell" title={timesOf(row)}>
        {/* Versions of a file may differ by nothing but their time, for which a second line has room. */}
        {isNarrow && !(isPhone && why === 'replace') ? formatDay(deletedAt) : formatDate(deletedAt)}
      </span>
      <span className="row-by" role="gridcell" title={by}>
        <bdi>{by}</bdi>
      </span>
      {dueAt === null ? <span className="row-left" role="gridcell" /> : <Left dueAt={dueAt} days={days} />}
      <span className="row-size" role="gridcell" title={size === null ? undefined : formatExactSize(size)}>
        {size === null ? '' : formatSize(size)}
      </span>
      <span className="row-acts" role="gridcell">
        <IconButton icon="arrow-back-up" small smallIcon label={t('trash.restore')} tabIndex={-1} data-restore />
        {mayPurge && (
          <IconButton
            className="icon-button-danger"
            icon="trash"
            small
            smallIcon
            label={t('trash.purge')}
            tabIndex={-1}
            data-purge
          />
        )}
      </span>
    </div>
  )
})

/** Those of the trash are found by their ids. */
const thumbnails = slice(
  'trashThumbnails',
  (workspace) =>
    new Thumbnails(workspace, (id, signal) => {
      const asked = { params: { size: 'thumb', id }, query: { inline: 'true' } } as const
      return callForFile('GET /api/trash/preview/:size/:id', { ...asked, signal, isBackground: true })
    }),
)

function Picture({ of: { id, name, size, type, deletedAt } }: { of: Row }) {
  const entry = { path: id, name, isDir: false, type, size: size ?? 0, modified: String(deletedAt) }
  return <TilePicture entry={entry} from={thumbnails} />
}

/** When it was deleted, and when its content was changed last. */
function timesOf({ deletedAt, modified }: Row): string {
  const date = formatExactDate(deletedAt)
  return modified === undefined ? date : `${date}\n${t('preview.modified', { date: formatExactDate(modified) })}`
}

/** The folder that it was in, from one's own files on. */
function folderOf(path: string): string {
  const names = parentOf(path).split('/').filter(Boolean)
  return names.length === 0 ? t('sidebar.myFiles') : names.map(visibleName).map(isolate).join(' / ')
}

const day = 86_400_000
/** Days from which on the end is near. */
const soon = 3

function Left({ dueAt, days }: { dueAt: number; days: number }) {
  const left = dueAt - Date.now()
  const whole = Math.max(1, Math.ceil(left / day))
  const percent = Math.max(0, Math.min(100, (100 * left) / (days * day)))
  return (
    <span className={whole <= soon ? 'row-left soon' : 'row-left'} role="gridcell" title={formatExactDate(dueAt)}>
      <span className="progress-bar" aria-hidden="true" style={{ '--value': `${percent}%` } as CSSProperties}>
        <span />
      </span>
      <span>{formatDays(whole)}</span>
    </span>
  )
}
