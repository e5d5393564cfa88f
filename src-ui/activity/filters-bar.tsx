import { useEffect, useState } from 'react'
import { useLoaded } from '../core/loaded.tsx'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { visibleName } from '../ui/file-names.ts'
import { SearchField } from '../ui/search-field.tsx'
import { Choice } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { listUsers } from '../users/user-calls.ts'
import { addressOf, type Filters, kindGroups, noFilters, type Period, periods } from './filters.ts'

type Props = { filters: Filters; onFilters: (filters: Filters, how?: { isTyped?: boolean }) => void }

/** Names may be anything, so that the other choices need a mark of their own. */
const everybody = ''
const visitors = 'visitors'
const named = (name: string) => `user:${name}`

/** Who, what, where and when. */
export const FiltersBar = view(function FiltersBar({ filters, onFilters }: Props) {
  const { who, isVisitors, what, isFailedOnly, period, from, to } = filters
  const change = (part: Partial<Filters>) => onFilters({ ...filters, ...part })
  const chooseWho = (value: string) =>
    change({ isVisitors: value === visitors, who: value.startsWith('user:') ? value.slice('user:'.length) : undefined })
  return (
    <search className="activity-filters">
      <Choice
        aria-label={t('activity.who')}
        value={isVisitors ? visitors : who === undefined ? everybody : named(who)}
        options={useNames(who)}
        onValue={chooseWho}
      />
      <Choice
        aria-label={t('activity.what')}
        value={what ?? ''}
        options={[
          { value: '', label: t('activity.everything') },
          ...kindGroups.map((value) => ({ value, label: t(`activity.kinds.${value}`) })),
        ]}
        onValue={(value) => change({ what: value || undefined })}
      />
      <PathField filters={filters} onFilters={onFilters} />
      <Choice
        aria-label={t('activity.period')}
        value={period}
        options={periods.map((value) => ({ value, label: periodWords(value) }))}
        onValue={(value) => change({ period: value })}
      />
      {period === 'between' && (
        <>
          <Day label={t('activity.from')} value={from} onDay={(day) => change({ from: day })} />
          <Day label={t('activity.to')} value={to} onDay={(day) => change({ to: day })} />
        </>
      )}
      <Checkbox label={t('activity.onlyFailed')} isOn={isFailedOnly} onChange={(isOn) => change({ isFailedOnly: isOn })} />
      {addressOf(filters) !== addressOf(noFilters) && (
        <Button kind="quiet" label={t('activity.clear')} onClick={() => onFilters(noFilters)} />
      )}
    </search>
  )
})

/** Everybody, visitors, and the users; also the one of the address, who may have been deleted. */
function useNames(chosen: string | undefined) {
  const users = useLoaded(listUsers).value?.map(({ username }) => username) ?? []
  const names = chosen === undefined || users.includes(chosen) ? users : [...users, chosen]
  return [
    { value: everybody, label: t('activity.everybody') },
    { value: visitors, label: t('activity.visitors') },
    ...names.map((name) => ({ value: named(name), label: isolate(visibleName(name)) })),
  ]
}

function periodWords(period: Period): string {
  if (period === 'today' || period === 'always' || period === 'between') return t(`activity.${period}`)
  return t('activity.lastDays', { count: Number(period) })
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label className="activity-date">
      <span>{label}</span>
      <input className="input" type="date" value={value} onChange={(event) => onDay(event.target.value)} />
    </label>
  )
}

/** Milliseconds after the last letter. */
const typingPause = 300

/** Asks when the typing pauses: each answer may take the server long. */
const PathField = view(function PathField({ filters, onFilters }: Props) {
  const [text, setText] = useState(filters.path)
  const [shown, setShown] = useState(filters.path)
  if (shown !== filters.path) {
    // By Back, or by another button.
    setShown(filters.path)
    setText(filters.path)
  }
  useEffect(() => {
    if (text === filters.path) return
    const timer = setTimeout(() => onFilters({ ...filters, path: text }, { isTyped: true }), typingPause)
    return () => clearTimeout(timer)
  }, [text, filters, onFilters])
  return <SearchField icon="folder" label={t('activity.path')} value={text} onValue={setText} />
})
