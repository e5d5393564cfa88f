import 'holdall:words/later'
import 'holdall:icons/later'
import { useEffect, useState } from 'react'
import type { Entry } from '../core/entries.ts'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FileObject } from '../ui/file-object.tsx'
import { view } from '../ui/view.tsx'
import { EditForm } from './edit-form.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkAddress, LinkList } from './link-list.tsx'
import { LinkReady } from './link-ready.tsx'
import { ShareLinks } from './share-links.ts'

/** The public links of an entry: those that exist, the form of a new one, and the one that was just made. */
export const ShareDialog = view(function ShareDialog({ entry, onClose }: Opened<'share'>) {
  const workspace = useWorkspace()
  const [state] = useState(() => new ShareLinks(workspace, entry))
  useEffect(() => {
    const leaving = new AbortController()
    void state.load(leaving.signal).then((isRead) => isRead || onClose())
    const end = state.follow(onClose)
    return () => {
      end()
      leaving.abort()
    }
  }, [state, onClose])
  const mode = state.mode.value
  const submit = () => {
    if (mode === 'new') void state.create()
    else if (mode === 'edit') void state.save()
    else if (mode === 'ready') onClose()
  }
  // The key: a button that the next mode reuses would submit the form with the click that changed the mode.
  return (
    <Dialog
      wide
      title={titleOf(state)}
      onClose={onClose}
      onSubmit={submit}
      foot={<Foot key={mode} state={state} onClose={onClose} />}
    >
      {mode !== 'ready' && <Shared entry={state.present.value ?? entry} />}
      {mode === 'loading' && <div className="links-loading" aria-busy="true" />}
      {mode === 'links' && <LinkList state={state} />}
      {mode === 'new' && <LinkForm state={state} />}
      {mode === 'edit' && <Edited state={state} />}
      {mode === 'ready' && <LinkReady state={state} />}
    </Dialog>
  )
})

function titleOf({ mode, links }: ShareLinks): string {
  if (mode.value === 'ready') return t('shares.readyTitle')
  if (mode.value === 'edit') return t('shares.editTitle')
  return t(mode.value === 'new' && links.value.length > 0 ? 'shares.newTitle' : 'shares.title')
}

const Foot = view(function Foot({ state, onClose }: { state: ShareLinks; onClose: () => void }) {
  const mode = state.mode.value
  const hasLinks = state.links.value.length > 0
  if (mode === 'new')
    return (
      <>
        <Button
          kind="quiet"
          label={t('action.cancel')}
          onClick={() => {
            if (hasLinks) state.mode.value = 'links'
            else onClose()
          }}
        />
        <Button kind="primary" submit icon="link" label={t('shares.create')} busy={state.isBusy.value} />
      </>
    )
  if (mode === 'edit')
    return (
      <>
        <Button kind="quiet" label={t('action.cancel')} onClick={() => state.cancelEdit()} />
        <Button kind="primary" submit label={t('shares.save')} busy={state.isBusy.value} />
      </>
    )
  return (
    <>
      {mode === 'links' && (
        <Button id="new-link" kind="primary" icon="plus" label={t('shares.new')} onClick={() => state.begin()} />
      )}
      {mode === 'ready' && <Button kind="quiet" label={t('shares.another')} onClick={() => state.begin()} />}
      <span className="grow" />
      <Button label={t('action.done')} onClick={onClose} />
    </>
  )
})

const Edited = view(function Edited({ state: { edited } }: { state: ShareLinks }) {
  if (!edited.value) return null
  const { share, draft } = edited.value
  return (
    <>
      <LinkAddress hash={share.hash} />
      <EditForm
        takesFocus
        share={share}
        draft={draft}
        onDraft={(changed) => {
          edited.value = { share, draft: changed }
        }}
      />
    </>
  )
})

/** What the links lead to. */
const Shared = view(function Shared({ entry }: { entry: Pick<Entry, 'name' | 'isDir' | 'size'> }) {
  return (
    <FileObject file={entry} large>
      <small>{entry.isDir ? t('shares.readOnly') : t('shares.readOnlySized', { size: formatSize(entry.size) })}</small>
    </FileObject>
  )
})
