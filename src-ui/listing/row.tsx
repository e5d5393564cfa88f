import { memo } from 'react'
import { pageOf } from '../api/addresses.ts'
import type { Entry } from '../core/entries.ts'
import { formatDate, formatDay, formatExactDate, formatExactSize, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { RenameField } from '../operations/rename-field.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import type { EntryMarks } from './entry-marks.ts'
import { ItemCount, isCountable } from './item-count.tsx'

/** The check mark of a row or a tile, for the pointer. Hidden from screen readers, which read `aria-selected`. */
export function Check({ isOn }: { isOn: boolean }) {
  return <span className="check" data-on={isOn || undefined} data-check aria-hidden="true" />
}

export type Drawn = Omit<EntryMarks, 'joins'> & {
  entry: Entry
  /** Whether it is the tab stop of the grid. */
  isTabStop: boolean
}

/** What the element of an entry says of it, for the styles, the pointer and screen readers. */
export function attributesOf(name: string, { entry, isSelected, isTabStop, isNew, isCut, isRenaming, drop, isDragged }: Drawn) {
  return {
    className: [name, isNew && 'is-new', isCut && 'is-cut', isRenaming && 'is-renaming'].filter(Boolean).join(' '),
    'aria-selected': isSelected,
    'aria-disabled': entry.unreachable ? true : undefined,
    tabIndex: isTabStop ? 0 : -1,
    'data-entry': entry.key,
    'data-drop': drop,
    'data-dragged': isDragged || undefined,
  }
}

type Props = Drawn & {
  /** `aria-rowindex`: counted from 1, headings and column headers included. */
  line: number
  /** Pixels from the top. */
  start: number
  isNarrow: boolean
  /** Of its words: it is memoized, and drawn anew in another language. */
  language: string
} & Pick<EntryMarks, 'joins'>

/** One entry of the list. */
export const Row = memo(function Row(props: Props) {
  const { entry, line, start, isSelected, joins, isNarrow, isRenaming } = props
  return (
    <div {...attributesOf('row', props)} role="row" aria-rowindex={line} data-joins={joins} style={{ insetBlockStart: start }}>
      <Check isOn={isSelected} />
      <span className="row-name" role="gridcell">
        <FileIcon of={entry} />
        {isRenaming ? (
          <RenameField entry={entry} />
        ) : isCountable(entry) ? (
          <CountedName entry={entry} />
        ) : (
          <EntryName entry={entry} />
        )}
      </span>
      {!isRenaming && <Rest entry={entry} isNarrow={isNarrow} />}
    </div>
  )
})

/** Where there is no room for the number, it is left out: the name stays as it is. */
function CountedName({ entry }: { entry: Entry }) {
  return (
    <span className="counted-name">
      <EntryName entry={entry} />
      <ItemCount entry={entry} />
    </span>
  )
}

function Rest({ entry, isNarrow }: { entry: Entry; isNarrow: boolean }) {
  return (
    <>
      {entry.unreachable ? <Note reason={entry.unreachable} /> : <Facts entry={entry} isNarrow={isNarrow} />}
      <More />
    </>
  )
}

/** The menu button of a row, for pointers without a right button. It is no tab stop: the keyboard has the Menu key. */
function More() {
  return (
    <span className="row-more" role="gridcell">
      <MenuButton />
    </span>
  )
}

/** Opens the menu of the entry around it. */
export function MenuButton() {
  return <IconButton icon="dots" small label={t('menu.actions')} tabIndex={-1} aria-haspopup="menu" data-more />
}

function Facts({ entry, isNarrow }: { entry: Entry; isNarrow: boolean }) {
  return (
    <>
      <span className="row-size" role="gridcell" title={entry.isDir ? undefined : formatExactSize(entry.size)}>
        {entry.isDir ? '' : formatSize(entry.size)}
      </span>
      <span className="row-date" role="gridcell" title={formatExactDate(entry.modified)}>
        {isNarrow ? formatDay(entry.modified) : formatDate(entry.modified)}
      </span>
    </>
  )
}

/** Why an entry cannot be opened, in place of size and date. */
function Note({ reason }: { reason: NonNullable<Entry['unreachable']> }) {
  return (
    <span className="row-note" role="gridcell" aria-colspan={2}>
      <Icon name="alert-circle" small />
      {t(`listing.unreachable.${reason}`)}
    </span>
  )
}

/** The name as a link, so that the browser's ways to open links work. An unreachable entry has no link. */
export function EntryName({ entry }: { entry: Entry }) {
  return (
    <>
      <FileName
        name={entry.name}
        isDir={entry.isDir}
        {...(!entry.unreachable && { href: pageOf(entry.path, entry.isDir), tabIndex: -1, title: entry.name })}
      />
      {entry.isSymlink && <span className="visually-hidden">{t('listing.isLink')}</span>}
    </>
  )
}
