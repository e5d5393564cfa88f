// What was done on the server, as administrators see it.
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { almostAll, everywhere } from './looks.ts'
import { now } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const hour = 3_600_000

const base: ActivityLine = {
  ...{ time: '', who: 'amira', what: 'upload', path: '', from: '192.168.1.20', way: 'page', result: 'done' },
}
let count = 0

function line(hours: number, rest: Partial<ActivityLine>): ActivityLine {
  const { path: _, ...others } = base
  count += 1
  return { ...others, time: new Date(now.getTime() - hours * hour).toISOString(), at: `1-${count}-1`, ...rest }
}

const lines: readonly ActivityLine[] = [
  line(0.1, { what: 'rename', path: '/Receipts 2025', to: '/Allotment/Archive/Receipts 2025' }),
  line(0.2, {
    who: 'jonas',
    path: '/Allotment/Autumn show/Pears along the south wall before the winter pruning of the year.jpg',
  }),
  line(0.5, { what: 'download', path: '/Allotment/Plot plans', way: 'share', from: '203.0.113.80' }),
  line(0.6, { path: '/Allotment/Autumn show/Rosa/Pear.jpg', way: 'request', sender: 'Rosa, plot 31', from: '203.0.113.81' }),
  line(0.8, {
    who: 'treasurer',
    what: 'signIn',
    result: 'failed',
    reason: 'forbidden',
    count: 3,
    from: '198.51.100.7',
  }),
  line(1.1, { who: 'letícia', what: 'delete', path: '/Allotment/Seed trials/Labels, old.csv', from: '192.168.1.22' }),
  line(1.4, { what: 'serverSettings', fields: ['rules', 'signup'] }),
  line(2.2, { what: 'user', act: 'create', user: 'rosa' }),
  line(2.4, { what: 'command', path: '/Allotment', line: 'git status', who: 'jonas' }),
  line(3, { what: 'signIn' }),
  line(26, { who: 'نور', what: 'save', path: '/Allotment/Committee/Minutes of the November meeting.md', from: '203.0.113.12' }),
  line(27, { who: 'jonas', what: 'share', path: '/Allotment/Autumn show/Pears.jpg' }),
  line(52, { who: '', what: 'signIn', result: 'failed', reason: 'forbidden', from: '2001:db8:85a3::8a2e:370:7334' }),
  line(53, {
    who: 'letícia',
    what: 'rename',
    path: '/Water buts',
    to: '/Water butts',
    result: 'failed',
    reason: 'the name is taken',
  }),
]

/** Answered by the stage, so that times are the same in every run. */
const open = (status: number, some: readonly ActivityLine[]) => async (stage: Stage) => {
  const body = some.map((one) => `${JSON.stringify(one)}\n`).join('')
  await stage.page.route('**/api/activity?*', (route) => route.fulfill({ status, body, contentType: 'application/x-ndjson' }))
  await stage.go('/settings/activity')
  await stage.page.locator('.activity-row, .empty').first().waitFor()
}

export const activity: readonly State[] = statesOf('activity', [
  ['entries', everywhere, open(200, lines)],
  ['none', almostAll, open(200, [])],
  ['off', almostAll, open(404, [])],
])
