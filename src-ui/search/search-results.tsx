import type { MouseEvent, UIEvent } from 'react'
import { baseURL } from '../api/page-config.ts'
import type { Entry } from '../core/entries.ts'
import { go } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { FinderGroup, optionId } from '../ui/finder.tsx'
import { view } from '../ui/view.tsx'
import { ResultRow } from './result-row.tsx'
import { searchSlice } from './search.ts'
import { SearchMessage } from './search-message.tsx'

/** A menu that is asked for; `at` is in pixels of the window. */
export type MenuRequest = { entry: Entry; at: { x: number; y: number } }

type Props = { listId: string; openMenu(request: MenuRequest): void }

/** Pixels from the end of the list at which more are shown. */
const nearEnd = 100

/** What was found, in and outside the folder that is shown. */
export const SearchResults = view(function SearchResults({ listId, openMenu }: Props) {
  const search = useSlice(searchSlice)
  const { here, elsewhere } = search.groups.value
  const count = search.shownCount.value
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent) => {
    if (scrollHeight - scrollTop - clientHeight < nearEnd) search.showMore()
  }
  const groups = [
    { title: t('search.here'), from: 0, entries: here.slice(0, count) },
    { title: t('search.elsewhere'), from: here.length, entries: elsewhere.slice(0, Math.max(0, count - here.length)) },
  ].filter(({ entries }) => entries.length > 0)
  return (
    <div className="finder-list" onScroll={onScroll}>
      <div role="listbox" id={listId} aria-label={t('search.results')} aria-busy={search.state.value.kind === 'searching'}>
        {groups.map(({ title, from, entries }) => (
          <FinderGroup key={title} title={title} hasTitle={search.folder.value !== '/'}>
            {entries.map((entry, index) => (
              <ResultRow
                key={entry.key}
                id={optionId(listId, from + index)}
                entry={entry}
                position={from + index + 1}
                openMenu={openMenu}
              />
            ))}
          </FinderGroup>
        ))}
      </div>
      <SearchMessage />
      <AlsoInTrash />
    </div>
  )
})

/** How many entries of the trash fit too, as a link to them. */
const AlsoInTrash = view(function AlsoInTrash() {
  const { value } = useSlice(searchSlice).inTrash
  const overlays = useSlice(overlaysSlice)
  const page = `/trash?filter=${encodeURIComponent(value?.filter ?? '')}`
  const open = (event: MouseEvent) => {
    // The browser opens a link in another tab or window itself.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    overlays.close('search')
    go(page)
  }
  return (
    <p className="finder-note in-trash" role="status">
      {value && (
        <a className="text-link" href={baseURL + page} onClick={open}>
          {t('search.alsoInTrash', { items: t('listing.items', { count: value.count }) })}
        </a>
      )}
    </p>
  )
})
