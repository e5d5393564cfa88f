import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useEffect, useState } from 'react'
import type { SearchResult } from '../../src-server/contract/search.ts'
import { HttpFailure, type SharedPlace, type SharedResults, searchShared } from '../api/shared.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import type { OnRefused } from './guard-download.ts'
import { SharedRow } from './shared-row.tsx'
import { stateOf } from './shared-state.ts'

type SearchState = SharedResults | { failure: 'share.searchFailed' | 'share.searchWrong' }
type Props = { place: SharedPlace; onRefused: OnRefused; onSearching: (isSearching: boolean) => void }

/** Milliseconds without typing before the server is asked. */
const pause = 300

/** The most results that are shown. */
const mostShown = 200

/** Finds names below a shared folder. The results take the place of its items. */
export const ShareSearch = view(function ShareSearch({ place, onRefused, onSearching }: Props) {
  const [text, setText] = useState('')
  const query = text.trim()
  const found = useSearch(place, query, onRefused)
  return (
    <search className="share-search">
      <span className="input-with share-search-field">
        <IconSearch className="icon icon-small" aria-hidden="true" />
        <input
          className="input"
          type="search"
          dir="auto"
          autoComplete="off"
          aria-label={t('share.search')}
          placeholder={t('share.search')}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            onSearching(value.trim() !== '')
          }}
        />
      </span>
      <p className={found && query ? 'field-hint' : 'visually-hidden'} role="status">
        {query && (found ? sentenceOf(found) : t('share.searching'))}
      </p>
      {query && found && 'results' in found && found.results.length > 0 && (
        <nav className="share-items" aria-label={t('share.search')}>
          {found.results.slice(0, mostShown).map((result) => (
            <SharedRow
              key={result.path}
              hash={place.hash}
              item={{ ...result, isDir: result.dir, path: pathOf(place, result) }}
              folder={result.path.split('/').slice(0, -1).join(' / ')}
              onRefused={onRefused}
            />
          ))}
        </nav>
      )}
    </search>
  )
})

function sentenceOf(found: SearchState): string {
  if ('failure' in found) return t(found.failure)
  const count = found.results.length
  if (count > mostShown) return t('search.foundMore', { number: mostShown })
  const sentence = count === 0 ? t('share.notFound') : t('share.found', { count })
  if (found.more === 'time') return `${sentence} · ${t('search.moreTime')}`
  return found.more === 'unread' ? `${sentence} · ${t('search.moreUnread')}` : sentence
}

const pathOf = ({ path }: SharedPlace, result: SearchResult): string => `${path === '/' ? '' : path}/${result.path}`

/** What the server has found; undefined until it has answered. */
function useSearch({ hash, path }: SharedPlace, query: string, onRefused: OnRefused): SearchState | undefined {
  const [found, setFound] = useState<SearchState>()
  useEffect(() => {
    if (query === '') {
      setFound(undefined)
      return
    }
    const leaving = new AbortController()
    const { signal } = leaving
    const timer = setTimeout(async () => {
      try {
        const results = await searchShared({ hash, path }, query, signal)
        if (!signal.aborted) setFound(results)
      } catch (failure) {
        if (signal.aborted) return
        const isWrong = failure instanceof HttpFailure && failure.status === 400
        const state = stateOf(failure)
        if (!isWrong && (state.kind === 'gone' || state.kind === 'locked')) onRefused(state)
        else setFound({ failure: isWrong ? 'share.searchWrong' : 'share.searchFailed' })
      }
    }, pause)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [hash, path, query, onRefused])
  return found
}
