import type { Share } from '../../src-server/contract/shares.ts'
import { endedBy } from './link-facts.ts'

/** Which links the page shows. */
export const linkKinds = ['all', 'mine', 'soon', 'locked', 'ended'] as const
export type LinkKind = (typeof linkKinds)[number]

/** Seconds before its end from which on a link ends soon. */
const soon = 3 * 86_400

/** Whether a link ends within three days. @param now milliseconds since the epoch */
export function endsSoon(share: Share, now = Date.now()): boolean {
  return share.expire !== 0 && endedBy(share, now) === undefined && share.expire - now / 1000 < soon
}

/** Who looks, and when, in milliseconds since the epoch. */
type Seen = { ownId: number | undefined; now?: number }

/** Whether a link is of a kind. */
export function isOfKind(share: Share, kind: LinkKind, { ownId, now = Date.now() }: Seen): boolean {
  if (kind === 'mine') return share.userID === ownId
  if (kind === 'soon') return endsSoon(share, now)
  if (kind === 'locked') return share.hasPassword
  return kind === 'all' || endedBy(share, now) !== undefined
}

/** Whether each word of a text is in the name, the folder, the note or the owner of a link. */
export function matches({ name, path, note, username }: Share, text: string): boolean {
  const whole = fold([name, path, note, username].join('\n'))
  return fold(text)
    .split(/\s+/)
    .every((word) => whole.includes(word))
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
