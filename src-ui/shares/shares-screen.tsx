import { useEffect, useState } from 'react'
import type { Share } from '../../src-server/contract/shares.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import { go } from '../core/location.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { view } from '../ui/view.tsx'
import { DeleteSharesPrompt } from './delete-shares-prompt.tsx'
import { EditSharePrompt } from './edit-share-prompt.tsx'
import { ManagedLinks } from './managed-links.ts'
import { RequestList } from './request-list.tsx'
import { allShares } from './share-calls.ts'
import { SharesTable } from './shares-table.tsx'
import { SharesToolbar } from './shares-toolbar.tsx'

/** All public links of a person; administrators see those of everybody. */
export const SharesScreen = view(function SharesScreen() {
  return (
    <Loading loaded={useLoaded(useWorkspace().may('download') ? allShares : noShares)} isPage>
      {(links) => <Links links={links} />}
    </Loading>
  )
})

/** Of somebody who may not download: they may take files in. */
const noShares = async (): Promise<Share[]> => []

const Links = view(function Links({ links }: { links: readonly Share[] }) {
  const workspace = useWorkspace()
  const [state] = useState(() => new ManagedLinks(workspace, links))
  useEffect(() => state.follow(), [state])
  const isEmpty = state.links.value.length === 0
  return (
    <>
      <Head state={state} isEmpty={isEmpty} />
      {isEmpty ? (
        <Empty art="bag" title={t('shares.emptyTitle')} text={t('shares.emptyText')}>
          <Button icon="folder" label={t('sidebar.myFiles')} onClick={() => go('/files/')} />
        </Empty>
      ) : (
        <div className="settings page-full">
          <SharesToolbar state={state} />
          {state.found.value.length > 0 ? <SharesTable state={state} /> : <NoMatch state={state} />}
        </div>
      )}
      {workspace.may('create') && (
        <div className="settings page-full request-place">
          <RequestList />
        </div>
      )}
      <DeleteSharesPrompt />
      <EditSharePrompt />
    </>
  )
})

const Head = view(function Head({ state, isEmpty }: { state: ManagedLinks; isEmpty: boolean }) {
  const isAdmin = useWorkspace().may('admin')
  const label = t(isAdmin ? 'shares.filter' : 'shares.filterOwn')
  return (
    <div className="page-head page-full">
      {!isAdmin && (
        <IconButton className="page-back" icon="arrow-left" label={t('shares.back')} onClick={() => go('/settings/profile')} />
      )}
      <h1 className="page-title">{t(isAdmin ? 'title.shares' : 'shares.own')}</h1>
      {!isEmpty && (
        <SearchField icon="search" label={label} value={state.text.value} onValue={(text) => state.filter({ text })} />
      )}
    </div>
  )
})

const NoMatch = view(function NoMatch({ state }: { state: ManagedLinks }) {
  return (
    <Empty art="bag" title={t('shares.noMatch')} text={t('shares.noMatchText', { count: state.links.value.length })}>
      <Button label={t('shares.clearFilter')} onClick={() => state.filter({ kind: 'all', text: '' })} />
    </Empty>
  )
})
