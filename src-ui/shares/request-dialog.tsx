import 'holdall:words/later'
import 'holdall:icons/later'
import { useEffect, useState } from 'react'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatDate } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FileObject } from '../ui/file-object.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { CopyLink } from './copy-text-button.tsx'
import { dateOf } from './new-link.ts'
import { QrBox } from './qr-box.tsx'
import { Senders } from './request-arrivals.tsx'
import { requestAddress } from './request-calls.ts'
import { stateText, sumText, takesFiles, timeAgain, unseenOf } from './request-facts.ts'
import { RequestForm } from './request-form.tsx'
import { RequestLinks } from './request-links.ts'

/** The links that take files into a folder: those that exist, the form of one, and what has come by one. */
export const RequestDialog = view(function RequestDialog({ folder, hash, onClose }: Opened<'requestFiles'>) {
  const workspace = useWorkspace()
  const [state] = useState(() => new RequestLinks(workspace, folder))
  useEffect(() => {
    void state.load(hash).then((isRead) => isRead || onClose())
    return state.follow()
  }, [state, hash, onClose])
  const mode = state.mode.value
  const isForm = mode === 'new' || mode === 'edit'
  useEffect(() => {
    if (mode === 'one' || mode === 'links') document.getElementById('request-done')?.focus()
  }, [mode])
  const link = state.shown.value
  // The key: a button that the next mode reuses would submit the form with the click that changed the mode.
  return (
    <Dialog
      wide
      title={titleOf(mode)}
      onClose={onClose}
      {...(isForm && { onSubmit: () => void state.save() })}
      foot={<Foot key={mode} state={state} onClose={onClose} />}
    >
      <FileObject file={{ ...folder, isDir: true }} shown={folder.name || t('sidebar.myFiles')} large>
        <small>{aboutOf(state)}</small>
      </FileObject>
      {mode === 'loading' && <div className="links-loading" aria-busy="true" />}
      {mode === 'links' && <AllLinks state={state} />}
      {isForm && <RequestForm state={state} />}
      {mode === 'one' && link && <One state={state} link={link} />}
    </Dialog>
  )
})

function titleOf(mode: RequestLinks['mode']['value']): string {
  if (mode === 'new') return t('requests.title')
  return t(mode === 'edit' ? 'requests.editTitle' : 'requests.of')
}

function aboutOf({ mode, shown, draft }: RequestLinks): string {
  if (mode.value === 'one' && shown.value) return sumText(shown.value)
  const hasFolders = mode.value === 'new' ? draft.value.hasFolders : (shown.value?.hasFolders ?? true)
  return t(hasFolders ? 'requests.inFolders' : 'requests.inFolder')
}

const AllLinks = view(function AllLinks({ state }: { state: RequestLinks }) {
  return (
    <ul className="links">
      {state.links.value.map((link) => (
        <li className="link-item" key={link.hash}>
          <div className="object link">
            <span className="object-words grow link-words">
              <bdi>{link.title}</bdi>
              <small>
                <span>{`${stateText(link)} · ${sumText(link)}`}</span>
              </small>
            </span>
            {unseenOf(link) > 0 && <span className="tag">{t('requests.unseen', { count: unseenOf(link) })}</span>}
            <IconButton
              icon="chevron-right"
              small
              label={t('requests.openOf', { title: isolate(link.title) })}
              onClick={() => state.show(link)}
            />
          </div>
        </li>
      ))}
    </ul>
  )
})

/** One link, and what has come by it. */
const One = view(function One({ state, link }: { state: RequestLinks; link: RequestLink }) {
  const [opened, setOpened] = useState<'qr' | 'delete'>()
  const { hash, hasPassword } = link
  const address = requestAddress(hash)
  const shown = address.replace(/^https?:\/\//, '')
  return (
    <>
      <div className="links">
        <div className="object link">
          <span className="object-words grow link-words">
            <span className="link-url request-url" dir="ltr">
              <span className="stem">{shown.slice(0, -hash.length)}</span>
              <span className="link-hash">{hash}</span>
            </span>
            <small>
              {hasPassword && (
                <>
                  <Icon name="lock" small />
                  <span className="visually-hidden">{t('shares.withPassword')}</span>
                </>
              )}
              <span>{stateText(link)}</span>
            </small>
          </span>
          <CopyLink text={address} />
          <IconButton
            icon="qrcode"
            small
            smallIcon
            label={t(opened === 'qr' ? 'shares.hideQr' : 'shares.qr')}
            expanded={opened === 'qr'}
            onClick={() => setOpened(opened === 'qr' ? undefined : 'qr')}
          />
          <IconButton icon="pencil" small smallIcon label={t('shares.edit')} onClick={() => state.edit()} />
          <IconButton
            className="icon-button-danger"
            icon="trash"
            small
            smallIcon
            label={t('shares.delete')}
            expanded={opened === 'delete'}
            onClick={() => setOpened(opened === 'delete' ? undefined : 'delete')}
          />
        </div>
        {opened === 'qr' && <QrBox address={address} name={link.title} isDir />}
        {opened === 'delete' && (
          <Question
            text={t('requests.deleteQuestion')}
            confirm={t('action.delete')}
            isBusy={state.isBusy.value}
            onCancel={() => setOpened(undefined)}
            onConfirm={() => void state.remove()}
          />
        )}
      </div>
      <Senders state={state} link={link} />
      <Closing state={state} link={link} />
    </>
  )
})

/** Closes a link at once, after a question, or opens it again. */
const Closing = view(function Closing({ state, link }: { state: RequestLinks; link: RequestLink }) {
  const [isAsked, setAsked] = useState(false)
  if (isAsked)
    return (
      <Question
        text={`${t('requests.closeQuestion')} ${t('requests.closeText')}`}
        confirm={t('requests.close')}
        isBusy={state.isBusy.value}
        onCancel={() => setAsked(false)}
        onConfirm={() => void state.setClosed(true).then(() => setAsked(false))}
      />
    )
  const isOpen = takesFiles(link)
  if (!isOpen && (link.inTrash || link.leadsNowhere)) return null
  return (
    <div className="request-closing">
      {isOpen ? (
        <Button kind="quiet" className="button-danger-quiet" label={t('requests.close')} onClick={() => setAsked(true)} />
      ) : (
        <Button label={reopenText(link)} busy={state.isBusy.value} onClick={() => void state.setClosed(false)} />
      )}
    </div>
  )
})

/** It ends again, when it has ended by time. */
function reopenText(link: RequestLink): string {
  const again = timeAgain(link)
  if (again === undefined) return t('requests.reopen')
  return t('requests.reopenUntil', { date: formatDate(dateOf(Date.now() / 1000 + again)) })
}

type QuestionProps = { text: string; confirm: string; isBusy: boolean; onCancel: () => void; onConfirm: () => void }

function Question({ text, confirm, isBusy, onCancel, onConfirm }: QuestionProps) {
  return (
    <fieldset className="link-question">
      <legend className="visually-hidden">{confirm}</legend>
      <span>{text}</span>
      <span className="link-answers">
        <Button small autoFocus label={t('action.cancel')} onClick={onCancel} />
        <Button small kind="danger" busy={isBusy} label={confirm} onClick={onConfirm} />
      </span>
    </fieldset>
  )
}

const Foot = view(function Foot({ state, onClose }: { state: RequestLinks; onClose: () => void }) {
  const mode = state.mode.value
  const link = state.shown.value
  if (mode === 'new' || mode === 'edit') {
    const cancel = () => {
      if (link) state.show(link)
      else if (state.links.value.length > 0) state.back()
      else onClose()
    }
    return (
      <>
        <Button kind="quiet" label={t('action.cancel')} onClick={cancel} />
        <Button
          kind="primary"
          submit
          icon={mode === 'new' ? 'inbox' : undefined}
          label={t(mode === 'new' ? 'requests.create' : 'shares.save')}
          busy={state.isBusy.value}
        />
      </>
    )
  }
  return (
    <>
      {/* Not of a folder of somebody else, of which no path is known. */}
      {mode !== 'loading' && state.folder.path !== '' && (
        <Button kind="quiet" icon="plus" label={t('shares.new')} onClick={() => state.begin()} />
      )}
      <span className="grow" />
      <Button id="request-done" label={t('action.done')} onClick={onClose} />
    </>
  )
})
