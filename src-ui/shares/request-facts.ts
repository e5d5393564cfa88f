import type { RequestLink } from '../../src-server/contract/requests.ts'
import { formatDate, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { dateOf, largestNumber } from './new-link.ts'

/** Whether the time of a link is over. @param now milliseconds since the epoch */
const isOver = ({ expire }: RequestLink, now: number): boolean => expire !== 0 && expire * 1000 <= now

/** Whether a link takes something in. @param now milliseconds since the epoch */
export const takesFiles = (link: RequestLink, now = Date.now()): boolean =>
  link.closedAt === undefined && !isOver(link, now) && !link.inTrash && !link.leadsNowhere

/** Seconds for which a link whose time is over takes files in when it is opened again; undefined for another one. @param now milliseconds since the epoch */
export function timeAgain(link: RequestLink, now = Date.now()): number | undefined {
  if (!isOver(link, now)) return undefined
  return Math.min(Math.max(1, link.expire - link.created), largestNumber)
}

/** How a link stands. */
export function stateText(link: RequestLink): string {
  const { closedAt, expire, inTrash, leadsNowhere } = link
  if (inTrash) return t('shares.inTrash')
  if (closedAt !== undefined) return t('requests.closedOn', { date: formatDate(dateOf(closedAt)) })
  if (leadsNowhere) return t('requests.leadsNowhere')
  if (expire === 0) return t('requests.always')
  return t(takesFiles(link) ? 'requests.until' : 'requests.endedOn', { date: formatDate(dateOf(expire)) })
}

/** What has come by a link. */
export function sumText({ files, senders, bytes }: RequestLink): string {
  if (files === 0) return t('requests.nothing')
  return t('requests.sum', {
    files: t('requests.files', { count: files }),
    people: t('requests.people', { count: senders }),
    size: formatSize(bytes),
  })
}

/** Files that the owner has not seen. */
export const unseenOf = ({ files, seen }: RequestLink): number => Math.max(0, files - seen)
