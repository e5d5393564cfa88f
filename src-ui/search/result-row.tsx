import type { MouseEvent } from 'react'
import { pageOf } from '../api/addresses.ts'
import { folderText } from '../core/folder-text.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { TilePicture } from '../listing/thumbnail.tsx'
import { visibleName } from '../ui/file-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { chosenSlice } from './chosen.ts'
import { type FoundEntry, searchSlice } from './search.ts'
import type { MenuRequest } from './search-results.tsx'
import { openResult } from './use-search-keys.ts'

type Props = {
  id: string
  entry: FoundEntry
  /** Counted from 1. */
  position: number
  openMenu(request: MenuRequest): void
}

/** A result: name, folder, and the size of a file. */
export const ResultRow = view(function ResultRow({ id, entry, position, openMenu }: Props) {
  const workspace = useWorkspace()
  const search = useSlice(searchSlice)
  const chosen = useSlice(chosenSlice)
  const { name, path, isDir, size } = entry
  const folder = folderText(path)
  const open = (event: MouseEvent) => {
    // The browser opens a link in another tab or window itself.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    chosen.entry.value = entry
    openResult(workspace, entry)
  }
  const showMenu = (event: MouseEvent) => {
    event.preventDefault()
    chosen.entry.value = entry
    openMenu({ entry, at: { x: event.clientX, y: event.clientY } })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are the field's, which keeps the focus
    <div className="result" role="presentation" onContextMenu={showMenu}>
      <a
        id={id}
        className="result-link"
        role="option"
        href={pageOf(path, isDir)}
        tabIndex={-1}
        aria-selected={chosen.entry.value?.key === entry.key}
        aria-setsize={search.results.value.length}
        aria-posinset={position}
        draggable={false}
        onClick={open}
      >
        <TilePicture entry={entry} />
        <span className="object-words">
          <MarkedName name={name} marks={entry.marks} />
          <span className="result-path" title={folder}>
            {folder}
          </span>
        </span>
        {!isDir && <span className="result-fact">{formatSize(size)}</span>}
      </a>
      <span aria-hidden="true">
        <IconButton className="result-more" icon="dots" label={t('search.actions', { name })} tabIndex={-1} onClick={showMenu} />
      </span>
    </div>
  )
})

/** A name with the parts that match. @param marks where each begins and ends in UTF-16 units */
function MarkedName({ name, marks }: { name: string; marks: readonly (readonly [number, number])[] }) {
  const parts: { text: string; at: number; isMarked: boolean }[] = []
  let from = 0
  for (const [begin, end] of marks) {
    parts.push(
      { text: name.slice(from, begin), at: from, isMarked: false },
      { text: name.slice(begin, end), at: begin, isMarked: true },
    )
    from = end
  }
  parts.push({ text: name.slice(from), at: from, isMarked: false })
  return (
    <bdi className="name result-name" title={name}>
      {parts
        .filter(({ text }) => text !== '')
        .map(({ text, at, isMarked }) =>
          isMarked ? <mark key={at}>{visibleName(text)}</mark> : <span key={at}>{visibleName(text)}</span>,
        )}
    </bdi>
  )
}
