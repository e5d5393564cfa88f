import type { Share } from '../../src-server/contract/shares.ts'
import { formatDate } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { dateOf } from './new-link.ts'

/** Why a link leads nowhere any more. */
export type EndedBy = 'time' | 'downloads'

/** @param now milliseconds since the epoch */
export function endedBy(
  { expire, downloads, mostDownloads = Number.POSITIVE_INFINITY }: Share,
  now = Date.now(),
): EndedBy | undefined {
  if (expire !== 0 && expire * 1000 <= now) return 'time'
  return downloads >= mostDownloads ? 'downloads' : undefined
}

/** When a link ends or has ended. */
export function endText(share: Share): string {
  if (share.expire === 0) return t('shares.endsNever')
  const date = formatDate(dateOf(share.expire))
  return t(endedBy(share) === 'time' ? 'shares.ended' : 'shares.endsOn', { date })
}

/** How often the entry was downloaded by a link. */
export function downloadsText(share: Share): string {
  const { downloads, mostDownloads } = share
  if (mostDownloads !== undefined) return t('shares.downloadsOf', { number: downloads, most: mostDownloads })
  return downloads === 0 ? t('shares.notUsed') : t('shares.downloads', { count: downloads })
}

/** What tells one link of an entry from the others. @param ownId of the person who looks */
export function factsOf(share: Share, ownId: number | undefined): string {
  const { note, userID, username } = share
  return [
    share.inTrash && t('shares.inTrash'),
    endText(share),
    endedBy(share) === 'downloads' && t('shares.usedUp'),
    downloadsText(share),
    userID !== ownId && t('shares.by', { name: isolate(username) }),
    note && isolate(note),
  ]
    .filter(Boolean)
    .join(' · ')
}
