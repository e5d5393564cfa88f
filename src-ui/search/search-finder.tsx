import { useEffect, useId, useRef, useState } from 'react'
import { overlaysSlice } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { FinderField } from '../ui/finder.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { chosenSlice } from './chosen.ts'
import { ResultMenu } from './result-menu.tsx'
import { searchSlice } from './search.ts'
import { SearchFoot } from './search-foot.tsx'
import { type MenuRequest, SearchResults } from './search-results.tsx'
import { SearchTypes } from './search-types.tsx'
import { useSearchKeys } from './use-search-keys.ts'

/** The field, the types and the results. The field keeps the focus, and its keys choose among the results. */
export const SearchFinder = view(function SearchFinder() {
  const search = useSlice(searchSlice)
  const overlays = useSlice(overlaysSlice)
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
        <IconButton icon="x" label={t('action.close')} onClick={() => overlays.close('search')} />
      </FinderField>
      <SearchTypes />
      <SearchResults listId={listId} openMenu={setMenu} />
      <SearchFoot />
      {menu && <ResultMenu request={menu} onClose={closeMenu} />}
    </>
  )
})
