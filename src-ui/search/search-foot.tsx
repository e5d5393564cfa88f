import { showChord } from '../core/key-names.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Keys } from '../ui/keys.tsx'
import { view } from '../ui/view.tsx'
import { type SearchState, searchSlice } from './search.ts'

/** The keys, and how much was found: that is announced too. */
export const SearchFoot = view(function SearchFoot() {
  const search = useSlice(searchSlice)
  const text = countText(search.state.value, search.results.value.length)
  return (
    <div className="modal-foot">
      <span className="finder-keys">
        <Chord shown="↑ ↓" /> {t('search.choose')}
      </span>
      <span className="finder-keys">
        <Chord shown={showChord('Enter')} /> {t('search.open')}
      </span>
      <span className="finder-keys">
        <Chord shown={showChord('Mod+Enter')} /> {t('search.newTab')}
      </span>
      <span className="finder-keys">
        <Chord shown={showChord('Shift+Enter')} /> {t('search.showInFolder')}
      </span>
      <span className="grow" />
      <span className="numbers" role="status">
        {text}
      </span>
    </div>
  )
})

/** Its keys stand in the order in which they are named, also in Arabic. */
function Chord({ shown }: { shown: string }) {
  return (
    <span className="finder-keys" dir="ltr">
      <Keys shown={shown} />
    </span>
  )
}

function countText(state: SearchState, count: number): string {
  if (state.kind === 'searching') return count > 0 ? t('search.foundSoFar', { count }) : t('search.working')
  if (state.kind !== 'done') return ''
  return state.more === 'results' ? t('search.foundMore', { number: count }) : t('search.found', { count })
}
