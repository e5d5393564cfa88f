import 'holdall:words/later'
import { useEffect, useState } from 'react'
import { NotLoaded } from '../core/loaded.tsx'
import { address, go } from '../core/location.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'
import { ActivityEntries } from './activity-entries.ts'
import { ActivityTable } from './activity-table.tsx'
import { ExportMenu } from './export-menu.tsx'
import { addressOf, type Filters, filtersIn, noFilters, queryOf } from './filters.ts'
import { FiltersBar } from './filters-bar.tsx'

/** What was done on the server, and by whom. */
export const ActivityScreen = view(function ActivityScreen() {
  const workspace = useWorkspace()
  const [entries] = useState(() => new ActivityEntries(workspace))
  const { search } = address.value
  const filters = filtersIn(search)
  useEffect(() => void entries.load(queryOf(filtersIn(search), new Date())), [entries, search])
  useEffect(() => () => entries.stop(), [entries])
  const isOff = entries.state.value === 'off'
  const refresh = () => void entries.load(queryOf(filters, new Date()))
  return (
    <div className="activity">
      <div className="page-head activity-head">
        <h1 className="page-title">{t('activity.title')}</h1>
        {!isOff && (
          <>
            <Button icon="refresh" label={t('activity.refresh')} onClick={refresh} />
            <ExportMenu filters={filters} />
          </>
        )}
      </div>
      {isOff ? (
        <Off />
      ) : (
        <>
          <FiltersBar filters={filters} onFilters={show} />
          <Content entries={entries} filters={filters} refresh={refresh} />
        </>
      )}
    </div>
  )
})

/** Back goes to the filters before, but not through each letter that was typed. */
function show(filters: Filters, { isTyped = false } = {}): void {
  go(addressOf(filters), { replace: isTyped })
}

type ContentProps = { entries: ActivityEntries; filters: Filters; refresh: () => void }

const Content = view(function Content({ entries, filters, refresh }: ContentProps) {
  const pages = entries.pages.value
  const state = entries.state.value
  const hasEntries = pages.some((page) => page.length > 0)
  const failure = entries.failure.value
  // It stays while they are read again, with the focus.
  if (failure !== undefined && !hasEntries) return <NotLoaded failure={failure} onRetry={refresh} />
  if (!hasEntries) return state === 'reading' ? <div aria-busy="true" /> : <None filters={filters} />
  const count = pages.reduce((sum, { length }) => sum + length, 0)
  return (
    <>
      <ActivityTable pages={pages} isReading={state === 'reading'} />
      <div className="activity-foot">
        {state === 'failed' && (
          <p className="field-error" role="alert">
            {t('activity.loadFailed')}
          </p>
        )}
        {(state === 'more' || state === 'failed') && (
          <Button wide label={t('activity.more')} onClick={() => void entries.more()} />
        )}
        <p className="muted" role="status">
          {state === 'all' && t('activity.entries', { count })}
        </p>
      </div>
    </>
  )
})

const None = view(function None({ filters }: { filters: Filters }) {
  const { period } = filters
  const longer = period === 'today' ? '7' : period === '7' ? '30' : period === '30' ? 'always' : undefined
  return (
    <Empty art="bag" title={t('activity.emptyTitle')} text={t('activity.emptyText')}>
      {longer && (
        <Button
          label={longer === 'always' ? t('activity.always') : t('activity.lastDays', { count: Number(longer) })}
          onClick={() => show({ ...filters, period: longer })}
        />
      )}
      <Button kind="quiet" label={t('activity.clear')} onClick={() => show({ ...noFilters, period: 'always' })} />
    </Empty>
  )
})

/** Stands for the flag in the sentence. */
const mark = '\0'

const Off = view(function Off() {
  const [before, after] = t('activity.offText', { flag: mark }).split(mark)
  const text = (
    <>
      {before}
      <code className="code" dir="ltr">
        --audit-log
      </code>
      {after}
    </>
  )
  return <Empty art="bag" title={t('activity.off')} text={text} />
})
