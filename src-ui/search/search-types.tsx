import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { type SearchType, searchSlice, searchTypes } from './search.ts'

const icons: Record<SearchType, IconName> = { image: 'photo', music: 'music', video: 'movie', pdf: 'file-type-pdf' }

/** The types to which the search can be limited. With several, one must fit. */
export const SearchTypes = view(function SearchTypes() {
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
