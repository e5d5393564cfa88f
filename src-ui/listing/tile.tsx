import { memo } from 'react'
import type { Entry } from '../core/entries.ts'
import { formatDay, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { RenameField } from '../operations/rename-field.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import type { EntryMarks } from './entry-marks.ts'
import { ItemCount, isCountable } from './item-count.tsx'
import { Check, EntryName, MenuButton } from './row.tsx'
import { TilePicture } from './thumbnail.tsx'

type Props = {
  entry: Entry
  /** Counted from 1. */
  column: number
  /** Whether it is the tab stop of the grid. */
  isTabStop: boolean
  /** Of its words: it is memoized, and drawn anew in another language. */
  language: string
} & Omit<EntryMarks, 'joins'>

/** One entry of the mosaic: a card for a folder, a picture for a file. */
export const Tile = memo(function Tile(props: Props) {
  const { entry, column, isSelected, isTabStop, isNew, isCut, isRenaming, drop, isDragged } = props
  return (
    <div
      className={[entry.isDir ? 'folder-tile' : 'tile', isNew && 'is-new', isCut && 'is-cut', isRenaming && 'is-renaming']
        .filter(Boolean)
        .join(' ')}
      role="gridcell"
      aria-colindex={column}
      aria-selected={isSelected}
      aria-disabled={entry.unreachable ? true : undefined}
      tabIndex={isTabStop ? 0 : -1}
      data-entry={entry.key}
      data-drop={drop}
      data-dragged={isDragged || undefined}
    >
      <Check isOn={isSelected} />
      {entry.isDir ? <Icon entry={entry} /> : <TilePicture entry={entry} />}
      {entry.isDir ? (
        <Words entry={entry} isRenaming={isRenaming} />
      ) : (
        <span className="tile-text">
          <Icon entry={entry} />
          <Words entry={entry} isRenaming={isRenaming} />
          {!isRenaming && <More />}
        </span>
      )}
      {entry.isDir && !isRenaming && <More />}
    </div>
  )
})

// Shown only on touch screens, which have no right button.
const More = () => (
  <span className="tile-more">
    <MenuButton />
  </span>
)

const Icon = ({ entry }: { entry: Entry }) => (
  <FileIcon type={entry.type} isDir={entry.isDir} name={entry.name} isLink={entry.isSymlink} />
)

function Words({ entry, isRenaming }: { entry: Entry; isRenaming: boolean }) {
  if (isRenaming) return <RenameField entry={entry} />
  return (
    <span className="tile-words">
      <EntryName entry={entry} />
      <span className="tile-detail" title={detailOf(entry)}>
        {detailOf(entry)}
        {isCountable(entry) && <ItemCount entry={entry} before=" · " />}
      </span>
    </span>
  )
}

function detailOf(entry: Entry): string {
  if (entry.unreachable) return t(`listing.unreachable.${entry.unreachable}`)
  return entry.isDir ? formatDay(entry.modified) : `${formatSize(entry.size)} · ${formatDay(entry.modified)}`
}
