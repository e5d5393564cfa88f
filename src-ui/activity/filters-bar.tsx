import { useEffect, useState } from 'react'
import { useLoaded } from '../core/loaded.tsx'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { visibleName } from '../ui/file-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Tick } from '../ui/tick.tsx'
import { view } from '../ui/view.tsx'
import { listUsers } from '../users/user-calls.ts'
import { addressOf, type Filters, type KindGroup, kindGroups, noFilters, type Period, periods } from './filters.ts'

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
        label={t('activity.who')}
        value={isVisitors ? visitors : who === undefined ? everybody : named(who)}
        options={useNames(who)}
        onValue={chooseWho}
      />
      <Choice
        label={t('activity.what')}
        value={what ?? ''}
        options={[['', t('activity.everything')], ...kindGroups.map((group) => [group, t(`activity.kinds.${group}`)] as const)]}
        onValue={(value) => change({ what: (value as KindGroup) || undefined })}
      />
      <PathField filters={filters} onFilters={onFilters} />
      <Choice
        label={t('activity.period')}
        value={period}
        options={periods.map((one) => [one, periodWords(one)] as const)}
        onValue={(value) => change({ period: value as Period })}
      />
      {period === 'between' && (
        <>
          <Day label={t('activity.from')} value={from} onDay={(day) => change({ from: day })} />
          <Day label={t('activity.to')} value={to} onDay={(day) => change({ to: day })} />
        </>
      )}
      <Tick label={t('activity.onlyFailed')} isOn={isFailedOnly} onChange={(isOn) => change({ isFailedOnly: isOn })} />
      {addressOf(filters) !== addressOf(noFilters) && (
        <Button kind="quiet" label={t('activity.clear')} onClick={() => onFilters(noFilters)} />
      )}
    </search>
  )
})

/** Everybody, visitors, and the users; also the one of the address, who may have been deleted. */
function useNames(chosen: string | undefined): readonly (readonly [string, string])[] {
  const users = useLoaded(listUsers).value?.map(({ username }) => username) ?? []
  const names = chosen === undefined || users.includes(chosen) ? users : [...users, chosen]
  return [
    [everybody, t('activity.everybody')],
    [visitors, t('activity.visitors')],
    ...names.map((name) => [named(name), isolate(visibleName(name))] as const),
  ]
}

function periodWords(period: Period): string {
  if (period === 'today' || period === 'always' || period === 'between') return t(`activity.${period}`)
  return t('activity.lastDays', { count: Number(period) })
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onValue: (value: string) => void
}

function Choice({ label, value, options, onValue }: ChoiceProps) {
  return (
    <span className="select">
      <select className="input" aria-label={label} value={value} onChange={(event) => onValue(event.target.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" small />
    </span>
  )
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
  const label = t('activity.path')
  return (
    <span className="input-lead">
      <Icon name="folder" small />
      <input
        className="input"
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  )
})
