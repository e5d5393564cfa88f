// The jobs of the server in the transfers panel, in all their states.
import type { Page } from '@playwright/test'
import type { Job, JobDetails } from '../../src-server/contract/jobs.ts'
import { everywhere, inForced } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const at = Date.UTC(2026, 10, 26, 9)

/** @param id also how old it is, in seconds */
function job(id: number, given: Partial<Job>): Job {
  const counts = { entries: 1, done: 0, failed: 0, skipped: 0, asked: 0 }
  const times = { startedAt: at - id * 1000, changedAt: at }
  return {
    id: `screen-${id}`,
    kind: 'copy',
    state: 'running',
    first: '/Family photographs',
    to: '/Archive',
    ...counts,
    ...times,
    ...given,
  }
}

const progress = { files: 4812, ofFiles: 12_000, bytes: 0, seconds: 80, name: 'First frost on the leeks, seen from the shed.jpg' }
export const underWay: readonly Job[] = [
  job(1, { progress }),
  job(2, { kind: 'move', state: 'asking', first: '/Receipts 2025.pdf', entries: 31, done: 16, asked: 15 }),
  job(3, { state: 'paused', first: '/Allotment', entries: 50, done: 9 }),
  job(4, { kind: 'move', state: 'interrupted', first: '/Choir', entries: 12, done: 4 }),
]
export const over: readonly Job[] = [
  job(5, { kind: 'delete', state: 'ended', first: '/Show 2024, drafts', entries: 212, done: 209, failed: 3 }),
  job(6, { kind: 'move', state: 'ended', first: '/Water butts', to: '/Allotment', entries: 31, done: 31 }),
  job(7, { state: 'cancelled', first: '/Seed trials', entries: 8, done: 3 }),
]

/** Archives that are made and extracted, one of which was refused. */
const ofArchives: readonly Job[] = [
  job(1, {
    kind: 'extract',
    first: '/Choir, all recordings.tar.xz',
    to: '/Choir',
    progress: { ...progress, bytes: 2.1e9, ofBytes: 6.4e9 },
  }),
  job(2, { kind: 'compress', state: 'ended', first: '/Archive/Family photographs.zip', done: 1 }),
  job(3, { kind: 'extract', state: 'ended', first: '/Receipts 2025.zip', to: '/Allotment', done: 1 }),
  job(4, { kind: 'extract', state: 'ended', first: '/From a stranger.zip', to: '/Allotment', failed: 1 }),
]
const leaving = { code: 'archiveLeaves', params: { name: '../../etc/cron.d/update' } } as const

const reasons = [
  ['/Show 2024, drafts/Programme, second draft.docx', 'forbidden'],
  ['/Show 2024, drafts/Table plan.ods', 'forbidden'],
  ['/Show 2024, drafts/Prizes.csv', 'busy'],
] as const

/** A job of one entry that has failed. */
export function failedJob(kind: Job['kind'], failure: JobDetails['failures'][number]): JobDetails {
  const counts = { kind, state: 'ended', first: failure.path, failed: 1 } as const
  return { ...detailsOf(job(9, counts)), failures: [failure] }
}

function detailsOf(one: Job): JobDetails {
  const { kind, first: path } = one
  if (kind === 'extract' && one.failed > 0) {
    const failure = { path, code: 'invalid', message: 'invalid', refusal: leaving } as const
    return { ...one, questions: [], failures: [failure], leftOut: [], renamed: [], values: [] }
  }
  const questions = one.asked > 0 ? [{ question: '1', path: one.first, to: `${one.to}${one.first}` }] : []
  const failures = one.failed > 0 ? reasons.map(([path, code]) => ({ path, code, message: code })) : []
  return { ...one, questions, failures, leftOut: [], renamed: [], values: [] }
}

/** Answers the calls about jobs as if the person had these. */
export async function answerJobs(page: Page, jobs: readonly Job[]): Promise<void> {
  await page.route(/\/api\/jobs(\/|$)/, (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(3)
    const one = jobs.find((some) => some.id === id)
    return route.fulfill({ json: one ? detailsOf(one) : { jobs } })
  })
  // The folders of the two files that are asked about.
  const asked = jobs.filter((one) => one.asked > 0)
  for (const [folder, size, modified] of [
    ['', 48_200, '2026-11-13T09:12:00Z'],
    ['Archive', 41_900, '2026-10-02T17:40:00Z'],
  ] as const) {
    const items = asked.map(({ first }) => ({ name: first.slice(1), isDir: false, size, modified }))
    await page.route(`**/api/resources/${folder}`, (route) => route.fulfill({ json: { items } }))
  }
}

async function show(stage: Stage, jobs: readonly Job[]) {
  await answerJobs(stage.page, jobs)
  await stage.folder()
  await stage.page.locator('.transfers-jobs').waitFor()
  if (jobs.some(({ asked }) => asked > 0)) await stage.page.locator('.transfer-ask .is-more').first().waitFor()
  if (jobs.some(({ failed }) => failed > 0)) await stage.page.locator('.transfer-failures li').first().waitFor()
  await stage.rest()
}

async function showEnded(stage: Stage) {
  await show(stage, over)
}

async function collapse(stage: Stage) {
  await show(stage, [...underWay.slice(0, 1), ...over])
  await stage.button('Collapse').click()
  await stage.rest()
}

export const jobs: State[] = statesOf('jobs', [
  ['running', inForced(everywhere), (stage) => show(stage, underWay)],
  ['ended', everywhere, showEnded],
  ['archives', everywhere, (stage) => show(stage, ofArchives)],
  ['collapsed', ['light', 'phone'], collapse],
])
