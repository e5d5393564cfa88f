import { useEffect, useState } from 'react'
import { actsSlice } from '../acts/acts.ts'
import { ErrorView } from '../core/error-view.tsx'
import { mayUseTrash } from '../core/known-trash.ts'
import { NotLoaded } from '../core/loaded.tsx'
import { address, go } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { presenceSlice } from '../core/presence.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatDays } from '../i18n/days.ts'
import { formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Choice } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { KeepFocus } from './keep-focus.tsx'
import { loadWhenBack } from './load-when-back.ts'
import { PurgePrompt } from './purge-prompt.tsx'
import { trashViewSlice } from './trash-commands.ts'
import { TrashGrid } from './trash-grid.tsx'
import { type SortedBy, TrashItems } from './trash-items.ts'
import { TrashSelection } from './trash-selection.tsx'

/** What was deleted and replaced, and can be put back. */
export const TrashScreen = view(function TrashScreen() {
  const workspace = useWorkspace()
  if (mayUseTrash(workspace)) return <Trash />
  return (
    <div className="pane">
      <ErrorView status={403} headingLevel={1} />
    </div>
  )
})

const Trash = view(function Trash() {
  const workspace = useWorkspace()
  const asked = filterIn(address.value.search)
  const [items] = useState(() => new TrashItems(workspace, asked))
  const { returns } = workspace.use(presenceSlice)
  const count = returns.value
  const flips = useSlice(actsSlice).flips.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the person comes back, or has undone something
  useEffect(() => void items.load(), [items, count, flips])
  useEffect(() => loadWhenBack(workspace, items), [workspace, items])
  useEffect(() => {
    const shown = workspace.use(trashViewSlice).items
    shown.value = items
    return () => {
      shown.value = undefined
    }
  }, [workspace, items])
  useEffect(() => {
    if (asked !== items.filter.peek()) items.filterBy(asked)
  }, [items, asked])
  const { value: isEmpty } = items.isEmpty
  return (
    <>
      <div className="pathbar pathbar-trash">
        <h1 className="crumb" aria-current="page">
          <span>{t('title.trash')}</span>
        </h1>
        <span className="grow" />
        <TrashSelection items={items} />
        {items.facts.value && !isEmpty && <EmptyButton items={items} />}
      </div>
      {items.facts.value && !isEmpty && <Note items={items} />}
      <Content items={items} isEmpty={isEmpty} />
      <PurgePrompt />
      <KeepFocus items={items} />
    </>
  )
})

const filterIn = (search: string): string => new URLSearchParams(search).get('filter') ?? ''

/** The address names the filter too: it stays over a reload, and the search leads to it. */
function filterBy(items: TrashItems, text: string): void {
  items.filterBy(text)
  go(text === '' ? '/trash' : `/trash?filter=${encodeURIComponent(text)}`, { replace: true, isForced: true })
}

/** With a filter it would delete more than what is shown. */
const EmptyButton = view(function EmptyButton({ items }: { items: TrashItems }) {
  const overlays = useSlice(overlaysSlice)
  if (items.filter.value !== '' || items.facts.value?.own.items === 0) return null
  return (
    <div className="pathbar-tools">
      <Button icon="trash" label={t('trash.emptyAll')} onClick={() => overlays.open({ kind: 'purge', rows: 'all', items })} />
    </div>
  )
})

const Note = view(function Note({ items }: { items: TrashItems }) {
  const { value: facts } = items.facts
  if (!facts) return null
  const sortings: readonly { value: SortedBy; label: string }[] = [
    { value: 'date', label: t('trash.deleted') },
    { value: 'name', label: t('listing.name') },
    { value: 'size', label: t('listing.size') },
  ]
  const words = { items: t('listing.items', { count: facts.total }), size: formatSize(facts.bytes), days: formatDays(facts.days) }
  return (
    <div className="trash-note">
      <p>
        {/* Where nothing matches, 0 items would be said of the trash. */}
        {facts.total > 0 && t('trash.note', words)} {!facts.isOn && t('trash.offNote')}
      </p>
      <SearchField icon="search" label={t('trash.filter')} value={items.filter.value} onValue={(text) => filterBy(items, text)} />
      <Choice
        className="input trash-sort"
        aria-label={t('menu.sort')}
        value={items.sorting.value.by}
        options={sortings}
        onValue={(by) => items.sortBy(by)}
      />
    </div>
  )
})

const Content = view(function Content({ items, isEmpty }: { items: TrashItems; isEmpty: boolean }) {
  const { facts, failure, filter } = items
  if (failure.value !== undefined && items.rows.value.length === 0)
    return (
      <div className="pane">
        <NotLoaded failure={failure.value} onRetry={() => void items.load()} />
      </div>
    )
  if (!facts.value) return <div className="pane" aria-busy="true" />
  if (isEmpty) return <Nothing isOn={facts.value.isOn} days={facts.value.days} />
  if (facts.value.total > 0) return <TrashGrid items={items} />
  return (
    <div className="pane">
      <Empty art="bag" title={t('trash.noMatch')} text={filter.value}>
        <Button label={t('shares.clearFilter')} onClick={() => filterBy(items, '')} />
      </Empty>
    </div>
  )
})

const Nothing = view(function Nothing({ isOn, days }: { isOn: boolean; days: number }) {
  const text = isOn ? t('trash.emptyText', { days: formatDays(days) }) : t('trash.offText')
  return (
    <div className="pane">
      <Empty art="bag" title={t(isOn ? 'trash.emptyTitle' : 'trash.offTitle')} text={text}>
        <Button icon="folder" label={t('sidebar.myFiles')} onClick={() => go('/files/')} />
      </Empty>
    </div>
  )
})
