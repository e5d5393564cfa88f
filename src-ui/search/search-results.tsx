import type { UIEvent } from 'react'
import type { Entry } from '../core/entries.ts'
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
    </div>
  )
})
