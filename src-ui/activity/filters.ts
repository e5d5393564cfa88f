// What of the activity is shown. The filters stand in the address, so that Back and a reload keep them.
import type { ActivityKind, ActivityQuery } from '../../src-server/contract/activity.ts'

/** The kinds of a choice of the filter *What*. */
export const kindsOf = {
  signIns: ['signIn', 'signOut'],
  files: ['upload', 'save', 'copy', 'rename', 'delete', 'restore', 'purge', 'compress', 'extract'],
  downloads: ['download', 'visit'],
  shares: ['share', 'shareChange', 'unshare'],
  admin: ['settings', 'serverSettings', 'user'],
  commands: ['command', 'commandEnd'],
} as const satisfies Record<string, readonly ActivityKind[]>

export type KindGroup = keyof typeof kindsOf
export const kindGroups = Object.keys(kindsOf) as KindGroup[]

export const periods = ['today', '7', '30', 'always', 'between'] as const
export type Period = (typeof periods)[number]

export type Filters = Readonly<{
  /** The name of a user; undefined for everybody. */
  who: string | undefined
  /** Only those who came by a link, or sent something by one. */
  isVisitors: boolean
  what: KindGroup | undefined
  isFailedOnly: boolean
  path: string
  period: Period
  /** Days of the period *between*, `2026-11-23`; '' is open. */
  from: string
  to: string
}>

export const noFilters: Filters = {
  ...{ who: undefined, isVisitors: false, what: undefined, isFailedOnly: false, path: '', period: '7', from: '', to: '' },
}

/** The filters in the query of an address. What it does not name, or names wrongly, is as without filters. */
export function filtersIn(search: string): Filters {
  const query = new URLSearchParams(search)
  const what = kindGroups.find((group) => group === query.get('what'))
  const period = periods.find((one) => one === query.get('period')) ?? noFilters.period
  return {
    ...{ who: query.get('who') ?? undefined, isVisitors: query.has('visitors'), what, isFailedOnly: query.has('failed') },
    ...{ path: query.get('path') ?? '', period, from: dayIn(query.get('from')), to: dayIn(query.get('to')) },
  }
}

/** The inverse of `filtersIn`: the address of the page with these filters, without the base URL. */
export function addressOf({ who, isVisitors, what, isFailedOnly, path, period, from, to }: Filters): string {
  const query = new URLSearchParams({
    ...(who !== undefined && { who }),
    ...(isVisitors && { visitors: '' }),
    ...(what && { what }),
    ...(isFailedOnly && { failed: '' }),
    ...(path !== '' && { path }),
    ...(period !== noFilters.period && { period }),
    ...(period === 'between' && from !== '' && { from }),
    ...(period === 'between' && to !== '' && { to }),
  }).toString()
  return `/settings/activity${query && `?${query}`}`
}

/** What the server is asked. Days begin and end as the reader's clock says. */
export function queryOf(filters: Filters, now: Date): ActivityQuery {
  const { who, isVisitors, what, isFailedOnly, path } = filters
  const { since, until } = spanOf(filters, now)
  return {
    // What is done by a link has the name of the link's owner.
    ...(isVisitors ? { way: 'share,request' } : who !== undefined && { who, way: 'page' }),
    ...(what && { what: kindsOf[what].join(',') }),
    ...(isFailedOnly && { result: 'failed' }),
    ...(path !== '' && { path }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
  }
}

function spanOf({ period, from, to }: Filters, now: Date): { since?: Date | undefined; until?: Date | undefined } {
  if (period === 'always') return {}
  if (period === 'between') return { since: startOf(from), until: startOf(to, 1) }
  const days = period === 'today' ? 1 : Number(period)
  return { since: new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1 - days) }
}

/** The first moment of a day, or of one some days later; undefined for ''. */
function startOf(day: string, later = 0): Date | undefined {
  const [year, month, date] = day.split('-').map(Number)
  return day === '' ? undefined : new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + later)
}

const dayIn = (text: string | null): string =>
  text !== null && /^(?:19|20)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
