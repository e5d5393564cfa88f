import { useState } from 'react'
import type { Share } from '../../src-server/contract/shares.ts'
import { pageOf } from '../api/addresses.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatAge } from '../i18n/age.ts'
import { formatDate, formatDay, formatExactDate, formatNumber } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { Cell, Row } from '../ui/table.tsx'
import { view } from '../ui/view.tsx'
import { CopyLink } from './copy-text-button.tsx'
import { endsSoon } from './find-links.ts'
import { endedBy } from './link-facts.ts'
import type { ManagedLinks } from './managed-links.ts'
import { dateOf } from './new-link.ts'
import { QrBox } from './qr-box.tsx'
import { linkAddress } from './share-calls.ts'

type Props = { share: Share; state: ManagedLinks; isSelected: boolean; isAdmin: boolean }

/** One link among all. */
export const ShareRow = view(function ShareRow({ share, state, isSelected, isAdmin }: Props) {
  const overlays = useSlice(overlaysSlice)
  const [isCoded, setCoded] = useState(false)
  const { hash, isDir, username, created } = share
  const shown = share.name || t('sidebar.myFiles')
  const name = isolate(visibleName(shown))
  return (
    <>
      <Row data-selected={isSelected || undefined}>
        <Cell className="shares-check">
          <input
            className="check"
            type="checkbox"
            aria-label={t('shares.selectOne', { name })}
            checked={isSelected}
            onChange={(event) => state.choose([hash], event.target.checked)}
          />
        </Cell>
        <Cell className="shares-name">
          <Thing share={share} />
        </Cell>
        {isAdmin && (
          <Cell label={t('shares.owner')}>
            <bdi>{username}</bdi>
          </Cell>
        )}
        <Cell label={t('shares.made')} className="shares-less muted">
          {formatDay(created * 1000)}
        </Cell>
        <Cell label={t('shares.ending')}>
          <End share={share} />
        </Cell>
        <Cell label={t('shares.count')} className="shares-number">
          {countOf(share)}
        </Cell>
        <Cell className="shares-actions">
          <span className="shares-buttons">
            <CopyLink text={linkAddress(hash)} of={name} />
            <IconButton
              icon="qrcode"
              small
              smallIcon
              label={t(isCoded ? 'shares.hideQrOf' : 'shares.qrOf', { name })}
              expanded={isCoded}
              onClick={() => setCoded(!isCoded)}
            />
            <IconButton
              icon="pencil"
              small
              smallIcon
              label={t('shares.editOf', { name })}
              onClick={() => overlays.open({ kind: 'editShare', share, state })}
            />
            <IconButton
              className="icon-button-danger"
              icon="trash"
              small
              smallIcon
              label={t('shares.deleteOf', { name })}
              onClick={() => overlays.open({ kind: 'deleteShares', links: [share], state })}
            />
          </span>
        </Cell>
      </Row>
      {isCoded && (
        <Row className="shares-code">
          <Cell colSpan={isAdmin ? 7 : 6}>
            <QrBox address={linkAddress(hash)} name={shown} isDir={isDir} />
          </Cell>
        </Row>
      )}
    </>
  )
})

const Thing = view(function Thing({ share: { path, name, isDir, hasPassword, note, inTrash } }: { share: Share }) {
  const shown = name || t('sidebar.myFiles')
  return (
    <span className="object">
      <FileIcon of={{ name, isDir }} />
      <span className="object-words">
        <span className="thing-line">
          <FileName name={shown} isDir={isDir} href={path && !inTrash ? pageOf(path, isDir) : undefined} />
          {hasPassword && (
            <>
              <Icon name="lock" small />
              <span className="visually-hidden">{t('shares.withPassword')}</span>
            </>
          )}
        </span>
        <span className="thing-path">
          {note ? t('shares.withNote', { folder: folderText(path), note: isolate(note) }) : folderText(path)}
        </span>
      </span>
    </span>
  )
})

/** The folder of an entry; '' for one that is outside of the files of whoever looks. */
function folderText(path: string): string {
  if (path === '') return t('shares.outside')
  const names = parentOf(path).split('/').filter(Boolean)
  return names.length === 0 ? t('sidebar.myFiles') : isolate(names.map(visibleName).map(isolate).join(' / '))
}

const End = view(function End({ share }: { share: Share }) {
  const ended = endedBy(share)
  if (share.inTrash) return <span className="tag">{t('shares.inTrash')}</span>
  if (ended === 'downloads') return <span className="tag">{t('shares.usedUp')}</span>
  if (share.expire === 0) return <span className="muted">{t('shares.never')}</span>
  const date = dateOf(share.expire)
  if (ended) return <span className="muted">{t('shares.endedAgo', { when: formatAge(date) })}</span>
  const text = endsSoon(share) ? formatAge(date) : formatDate(date)
  return (
    <span className={endsSoon(share) ? 'soon' : undefined} title={formatExactDate(date)}>
      {text}
    </span>
  )
})

function countOf({ downloads, mostDownloads }: Share): string {
  if (mostDownloads === undefined) return formatNumber(downloads)
  return t('shares.countOf', { number: downloads, most: mostDownloads })
}
