import { useEffect, useState } from 'react'
import type { ArrivalList, RequestLink, SenderList } from '../../src-server/contract/requests.ts'
import { pageOf } from '../api/addresses.ts'
import { formatAge } from '../i18n/age.ts'
import { formatExactDate, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { visibleName } from '../ui/file-names.ts'
import { Icon } from '../ui/icon.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { arrivalsOf } from './request-calls.ts'
import type { RequestLinks } from './request-links.ts'

type Sender = SenderList['senders'][number]

/** Who has sent something by a link, the newest first. */
export const Senders = view(function Senders({ state, link }: { state: RequestLinks; link: RequestLink }) {
  const senders = state.senders.value.filter(({ files }) => files > 0)
  if (senders.length === 0) return null
  return (
    <>
      <ul className="request-senders" aria-label={t('requests.senders')}>
        {senders.map((sender) => (
          <SenderRow key={sender.id} sender={sender} link={link} />
        ))}
      </ul>
      {state.nextSenders.value !== undefined && (
        <Button wide label={t('shares.showMore')} onClick={() => void state.moreSenders()} />
      )}
    </>
  )
})

const SenderRow = view(function SenderRow({ sender, link }: { sender: Sender; link: RequestLink }) {
  const [isOpen, setOpen] = useState(false)
  const { id, name, files, bytes, lastAt, path } = sender
  const shown = name === undefined ? t('requests.nameless') : visibleName(name)
  const label = t('requests.showOf', { name: isolate(shown) })
  const facts = { files: t('requests.files', { count: files }), size: formatSize(bytes), when: formatAge(lastAt * 1000) }
  return (
    <li>
      <div className="object">
        <Icon name="user" />
        <span className="object-words grow">
          <bdi>{shown}</bdi>
          <small title={formatExactDate(lastAt * 1000)}>{t('requests.sender', facts)}</small>
        </span>
        {path === undefined ? (
          <button type="button" className="text-link" aria-label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('requests.show')}
          </button>
        ) : (
          <a className="text-link" aria-label={label} href={pageOf(path, true)}>
            {t('requests.show')}
          </a>
        )}
      </div>
      {isOpen && <Arrivals hash={link.hash} sender={id} files={files} label={t('requests.arrivals', { name: isolate(shown) })} />}
    </li>
  )
})

type ArrivalsProps = { hash: string; sender: string; files: number; label: string }

/** What one sender has sent, where they have no folder of their own. */
const Arrivals = view(function Arrivals({ hash, sender, files, label }: ArrivalsProps) {
  const [list, setList] = useState<ArrivalList>()
  const [pages, setPages] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another number of files there are new ones
  useEffect(() => {
    const leaving = new AbortController()
    void pagesOf(pages, hash, { sender, signal: leaving.signal }).then(setList, () => undefined)
    return () => leaving.abort()
  }, [hash, sender, files, pages])
  return (
    <>
      <ul className="request-files" aria-label={label} aria-busy={list === undefined || undefined}>
        {list?.arrivals.map(({ name, size, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name and time
          <li key={index} className="request-file">
            <FileName name={name} />
            <small title={formatExactDate(at * 1000)}>{formatSize(size)}</small>
          </li>
        ))}
      </ul>
      {list?.next !== undefined && <Button wide label={t('shares.showMore')} onClick={() => setPages(pages + 1)} />}
    </>
  )
})

/** The first pages of what one sender has sent, in one list. */
async function pagesOf(count: number, hash: string, how: { sender: string; signal: AbortSignal }): Promise<ArrivalList> {
  const { sender, signal } = how
  let list: ArrivalList = { arrivals: [] }
  for (let read = 0; read === 0 || (read < count && list.next !== undefined); read++) {
    const page = await arrivalsOf(hash, signal, { sender, ...(list.next !== undefined && { after: list.next }) })
    list = { ...page, arrivals: [...list.arrivals, ...page.arrivals] }
  }
  return list
}
