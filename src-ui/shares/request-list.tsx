import { useEffect, useState } from 'react'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import { failureReason } from '../core/failure-reason.ts'
import { liveSlice } from '../core/live.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatDay } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { CopyLink } from './copy-text-button.tsx'
import { allRequests, requestAddress } from './request-calls.ts'
import { stateText, sumText, unseenOf } from './request-facts.ts'

/** All links of a person that take files in; administrators see those of everybody. Nothing where there are none. */
export const RequestList = view(function RequestList() {
  const workspace = useWorkspace()
  const live = useSlice(liveSlice)
  const [links, setLinks] = useState<readonly RequestLink[]>([])
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const leaving = new AbortController()
    const read = () =>
      allRequests(leaving.signal).then(
        (all) => {
          setLinks(all.toSorted((one, other) => other.created - one.created))
          setFailure(undefined)
        },
        (cause: unknown) => leaving.signal.aborted || setFailure(cause),
      )
    void read()
    const end = live.followNews('requests', () => void read())
    return () => {
      end()
      leaving.abort()
    }
  }, [live])
  if (links.length === 0 && failure === undefined) return null
  return (
    <section className="request-list">
      <h2>{t('requests.heading')}</h2>
      {failure !== undefined && (
        <p className="muted" role="alert">
          {`${t('requests.loadFailed')}: ${failureReason(failure)}`}
        </p>
      )}
      <ul className="links">
        {links.map((link) => (
          <Item key={link.hash} link={link} isAdmin={workspace.may('admin')} />
        ))}
      </ul>
    </section>
  )
})

const Item = view(function Item({ link, isAdmin }: { link: RequestLink; isAdmin: boolean }) {
  const overlays = useSlice(overlaysSlice)
  const { hash, title, name, path, username, created } = link
  const folder = path === '' ? t('shares.outside') : visibleName(name) || t('sidebar.myFiles')
  const facts = [isolate(folder), isAdmin && isolate(username), formatDay(created * 1000)].filter(Boolean)
  const unseen = unseenOf(link)
  return (
    <li className="link-item">
      <div className="object link">
        <FileIcon of={{ name, isDir: true }} />
        <span className="object-words grow link-words">
          <bdi>{title}</bdi>
          <small>
            <span>{facts.join(' · ')}</span>
          </small>
          <small>
            <span>{`${stateText(link)} · ${sumText(link)}`}</span>
          </small>
        </span>
        {unseen > 0 && <span className="tag request-unseen">{t('requests.unseen', { count: unseen })}</span>}
        <CopyLink text={requestAddress(hash)} of={isolate(title)} />
        <IconButton
          icon="chevron-right"
          small
          label={t('requests.openOf', { title: isolate(title) })}
          onClick={() => overlays.open({ kind: 'requestFiles', folder: { path, name }, hash })}
        />
      </div>
    </li>
  )
})
