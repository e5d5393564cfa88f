import { memo } from 'react'
import type { Entry } from '../core/entries.ts'
import { formatDay, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { RenameField } from '../operations/rename-field.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { ItemCount, isCountable } from './item-count.tsx'
import { attributesOf, Check, type Drawn, EntryName, MenuButton } from './row.tsx'
import { TilePicture } from './thumbnail.tsx'

type Props = Drawn & {
  /** Counted from 1. */
  column: number
  /** Of its words: it is memoized, and drawn anew in another language. */
  language: string
}

/** One entry of the mosaic: a card for a folder, a picture for a file. */
export const Tile = memo(function Tile(props: Props) {
  const { entry, column, isSelected, isRenaming } = props
  return (
    <div {...attributesOf(entry.isDir ? 'folder-tile' : 'tile', props)} role="gridcell" aria-colindex={column}>
      <Check isOn={isSelected} />
      {entry.isDir ? <FileIcon of={entry} /> : <TilePicture entry={entry} />}
      {entry.isDir ? (
        <Words entry={entry} isRenaming={isRenaming} />
      ) : (
        <span className="tile-text">
          <FileIcon of={entry} />
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
