import { showChord } from '../core/chord.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Keys } from '../ui/keys.tsx'
import { view } from '../ui/view.tsx'
import { searchSlice } from './search.ts'

/** The keys, and how much was found: that is announced too. */
export const SearchFoot = view(function SearchFoot() {
  const search = useSlice(searchSlice)
  const { kind } = search.state.value
  const count = search.results.value.length
  const text =
    kind === 'searching'
      ? count > 0
        ? t('search.foundSoFar', { count })
        : t('search.working')
      : kind === 'done'
        ? t('search.found', { count })
        : ''
  return (
    <div className="finder-foot">
      <span className="finder-keys">
        <Keys shown="↑" />
        <Keys shown="↓" /> {t('search.choose')}
      </span>
      <span className="finder-keys">
        <Keys shown={showChord('Enter')} /> {t('search.open')}
      </span>
      <span className="finder-keys">
        <Keys shown={showChord('Mod+Enter')} /> {t('search.newTab')}
      </span>
      <span className="finder-keys">
        <Keys shown={showChord('Shift+Enter')} /> {t('search.showInFolder')}
      </span>
      <span className="grow" />
      <span className="numbers" role="status">
        {text}
      </span>
    </div>
  )
})
