import type { ExpiryUnit } from '../../src-server/contract/shares.ts'
import { pageConfig } from '../api/page-config.ts'
import type { NewLink } from './share-calls.ts'

/** The largest number of units, and of downloads, that the server takes. */
export const largestNumber = 2_147_483_647

/** The units of an expiry, as the form offers them, with their lengths in seconds. */
export const unitLengths: Readonly<Record<ExpiryUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

/** What the form of a new link holds, as it was typed. */
export type LinkDraft = Readonly<{
  isPermanent: boolean
  count: string
  unit: ExpiryUnit
  password: string
  note: string
  mostDownloads: string
}>

/** When a link ends. */
export type Ending = Pick<LinkDraft, 'isPermanent' | 'count' | 'unit'>

/** The fields whose text is no number that the server takes. */
export type LinkProblems = Readonly<{ count?: boolean; password?: boolean; mostDownloads?: boolean }>

/** A form that nobody has changed: for good, unless there is such a link already. */
export const newDraft = (mayBePermanent: boolean): LinkDraft => ({
  ...{ isPermanent: mayBePermanent, count: '24', unit: 'hours', password: '', note: '', mostDownloads: '' },
})

/** @returns undefined when the link can be made */
export function problemsOf({ isPermanent, count, password, mostDownloads }: LinkDraft): LinkProblems | undefined {
  // With 0 the link would have ended when it is made.
  const isWrongCount = !isPermanent && !isNumber(count, 1)
  const isShort = isTooShort(password)
  const isWrongMost = mostDownloads.trim() !== '' && !isNumber(mostDownloads, 1)
  if (!isWrongCount && !isShort && !isWrongMost) return undefined
  return {
    ...(isWrongCount && { count: true }),
    ...(isShort && { password: true }),
    ...(isWrongMost && { mostDownloads: true }),
  }
}

/** Whether the server would refuse a password for its length. */
export const isTooShort = (password: string): boolean => password !== '' && [...password].length < pageConfig.LinkPasswordLength

/** What is sent. @param draft one without problems */
export function toNewLink({ isPermanent, count, unit, password, note, mostDownloads }: LinkDraft): NewLink {
  const most = mostDownloads.trim()
  return {
    ...(!isPermanent && { expires: { count: count.trim(), unit } }),
    ...(password && { password }),
    ...(note.trim() && { note: note.trim() }),
    ...(most && { mostDownloads: Number(most) }),
  }
}

/** When a link that is made now would end; undefined when it would not, or the text is no number. */
export function endOf({ isPermanent, count, unit }: Ending, now = Date.now()): Date | undefined {
  if (isPermanent || !isNumber(count, 1)) return undefined
  return dateOf(now / 1000 + Number(count) * unitLengths[unit])
}

/** The last moment that a date can hold, in milliseconds: a link may be made for longer. */
const lastMoment = 8.64e15

/** The date of a time in seconds since the epoch. */
export const dateOf = (seconds: number): Date => new Date(Math.min(seconds * 1000, lastMoment))

export const isNumber = (text: string, least: number, most = largestNumber): boolean =>
  /^\d{1,10}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
