import { useEffect, useId, useRef, useState } from 'react'
import { nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { FinderField } from '../ui/finder.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { chosenSlice } from './chosen.ts'
import { ResultMenu } from './result-menu.tsx'
import { type SearchType, searchSlice, searchTypes } from './search.ts'
import { SearchFoot } from './search-foot.tsx'
import { type MenuRequest, SearchResults } from './search-results.tsx'
import { useSearchKeys } from './use-search-keys.ts'

/** The field, the types and the results. The field keeps the focus, and its keys choose among the results. */
export const SearchFinder = view(function SearchFinder({ onClose }: { onClose: () => void }) {
  const search = useSlice(searchSlice)
  const chosen = useSlice(chosenSlice)
  const field = useRef<HTMLInputElement>(null)
  const [menu, setMenu] = useState<MenuRequest>()
  const listId = useId()
  const onKeyDown = useSearchKeys({ listId, openMenu: setMenu })
  const active = search.ordered.value.findIndex(({ key }) => key === chosen.entry.value?.key)
  useEffect(() => field.current?.select(), [])
  const closeMenu = () => {
    setMenu(undefined)
    // After the dialog, which focuses itself when the menu is gone.
    requestAnimationFrame(() => field.current?.focus())
  }
  return (
    <>
      <FinderField
        ref={field}
        icon="search"
        listId={listId}
        active={active}
        isExpanded={search.ordered.value.length > 0}
        aria-label={t('search.field')}
        placeholder={t('search.placeholder')}
        autoCapitalize="off"
        enterKeyHint="search"
        maxLength={900}
        value={search.text.value}
        onChange={(event) => search.type(event.target.value)}
        onKeyDown={onKeyDown}
      >
        {search.folder.value !== '/' && (
          <button
            type="button"
            className="chip search-here"
            aria-pressed={search.isHere.value}
            onClick={() => search.setHere(!search.isHere.value)}
          >
            <span className="label">{t('search.in', { folder: isolate(nameOf(search.folder.value)) })}</span>
          </button>
        )}
        <IconButton icon="x" label={t('action.close')} onClick={onClose} />
      </FinderField>
      <SearchTypes />
      <SearchResults listId={listId} openMenu={setMenu} />
      <SearchFoot />
      {menu && <ResultMenu request={menu} onClose={closeMenu} />}
    </>
  )
})

const icons: Record<SearchType, IconName> = { image: 'photo', music: 'music', video: 'movie', pdf: 'file-type-pdf' }

/** The types to which the search can be limited. With several, one must fit. */
const SearchTypes = view(function SearchTypes() {
  const search = useSlice(searchSlice)
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that can be pressed are no fields
    <div className="finder-chips" role="group" aria-label={t('search.types')}>
      {searchTypes.map((type) => (
        <button
          key={type}
          type="button"
          className="chip"
          aria-pressed={search.types.value.has(type)}
          onClick={() => search.toggleType(type)}
        >
          <Icon name={icons[type]} small />
          {t(`search.${type}`)}
        </button>
      ))}
    </div>
  )
})
