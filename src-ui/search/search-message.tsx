import type { ReactNode } from 'react'
import { failureReason, saidBy } from '../core/failure-reason.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { isRefusedQuery, searchSlice } from './search.ts'

const examples = ['"exact words"', 'type:md', 'size:>10M', 'changed:<7d', 'case:sensitive']

/** What stands below the results, or in their place. */
export const SearchMessage = view(function SearchMessage() {
  const search = useSlice(searchSlice)
  const state = search.state.value
  const count = search.results.value.length
  if (state.kind === 'failed') return <Failed failure={state.failure} />
  if (state.kind === 'done' && state.more) return <p className="finder-note">{t(moreKeys[state.more], { number: count })}</p>
  if (count > 0 || state.kind === 'searching') return null
  return state.kind === 'nothing' ? <Hint /> : <Nothing />
})

const moreKeys = { results: 'search.moreResults', time: 'search.moreTime', unread: 'search.moreUnread' } as const

function Hint() {
  return (
    <Message title={t('search.hint')}>
      <span className="search-examples">
        {t('search.hintFilters')}{' '}
        {examples.map((example) => (
          <code key={example} dir="ltr">
            {example}
          </code>
        ))}
      </span>
    </Message>
  )
}

const Nothing = view(function Nothing() {
  const search = useSlice(searchSlice)
  return (
    <Message title={t('search.none')}>
      <span>{t('search.noneText')}</span>
      {search.isHere.value && <Button label={t('search.noneHere')} onClick={() => search.setHere(false)} />}
    </Message>
  )
})

/** A query that is not understood is no error: it may not be complete yet. */
function Failed({ failure }: { failure: unknown }) {
  const search = useSlice(searchSlice)
  if (isRefusedQuery(failure)) return <Message title={saidBy(failure)} />
  return (
    <Message title={t('search.failed')}>
      <span>{failureReason(failure)}</span>
      <Button label={t('action.retry')} onClick={() => search.start()} />
    </Message>
  )
}

function Message({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="finder-none">
      <strong>{title}</strong>
      {children}
    </div>
  )
}
