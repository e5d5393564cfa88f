import { useEffect, useState } from 'react'
import type { Share } from '../../src-server/contract/shares.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { CopyLink } from './copy-text-button.tsx'
import { factsOf } from './link-facts.ts'
import { QrBox } from './qr-box.tsx'
import { linkAddress } from './share-calls.ts'
import type { ShareLinks } from './share-links.ts'

/** The links of an entry, each with what can be done with it. */
export const LinkList = view(function LinkList({ state }: { state: ShareLinks }) {
  const links = state.links.value
  // Back from the form of a link: where it was opened.
  const { edited } = state
  useEffect(() => document.getElementById(edited.peek() ? `edit-${edited.peek()?.share.hash}` : 'new-link')?.focus(), [edited])
  if (links.length === 0) return <p className="muted">{t('shares.none')}</p>
  return (
    <ul className="links">
      {links.map((share) => (
        <Link key={share.hash} state={state} share={share} />
      ))}
    </ul>
  )
})

type Props = { state: ShareLinks; share: Share }

const Link = view(function Link({ state, share }: Props) {
  const { user } = useWorkspace()
  const [opened, setOpened] = useState<'qr' | 'delete'>()
  const { hash, hasPassword } = share
  const address = linkAddress(hash)
  const isCoded = opened === 'qr'
  return (
    <li className="link-item">
      <div className="object link">
        <span className="object-words grow link-words">
          <LinkAddress hash={hash} />
          <small>
            {hasPassword && (
              <>
                <Icon name="lock" small />
                <span className="visually-hidden">{t('shares.withPassword')}</span>
              </>
            )}
            <span>{factsOf(share, user.value?.id)}</span>
          </small>
        </span>
        <CopyLink text={address} />
        <IconButton
          icon="qrcode"
          small
          smallIcon
          label={t(isCoded ? 'shares.hideQr' : 'shares.qr')}
          expanded={isCoded}
          onClick={() => setOpened(isCoded ? undefined : 'qr')}
        />
        <IconButton
          icon="pencil"
          small
          smallIcon
          id={`edit-${hash}`}
          label={t('shares.edit')}
          onClick={() => state.edit(share)}
        />
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
      {isCoded && <QrBox address={address} name={state.entry.name} isDir={state.entry.isDir} />}
      {opened === 'delete' && <DeleteQuestion state={state} share={share} onCancel={() => setOpened(undefined)} />}
    </li>
  )
})

/** An address of which the part that differs is always seen. */
export function LinkAddress({ hash }: { hash: string }) {
  const shown = linkAddress(hash).replace(/^https?:\/\//, '')
  return (
    <span className="link-url" dir="ltr">
      <span className="stem">{shown.slice(0, -hash.length)}</span>
      <span className="link-hash">{hash}</span>
    </span>
  )
}

const DeleteQuestion = view(function DeleteQuestion({ state, share, onCancel }: Props & { onCancel: () => void }) {
  const remove = async () => {
    // The button that had the focus goes with its link.
    if (await state.remove(share)) document.getElementById('new-link')?.focus()
  }
  return (
    <fieldset className="link-question">
      <legend className="visually-hidden">{t('shares.delete')}</legend>
      <span>{t('shares.deleteQuestion')}</span>
      <span className="link-answers">
        <Button small autoFocus label={t('action.cancel')} onClick={onCancel} />
        <Button small kind="danger" busy={state.isBusy.value} label={t('action.delete')} onClick={() => void remove()} />
      </span>
    </fieldset>
  )
})
