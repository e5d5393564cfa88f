import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { encodePath, pageOf, rawAddress } from '../../src-ui/api/addresses.ts'
import { readPageConfig } from '../../src-ui/api/page-config.ts'
import { appCommands } from '../../src-ui/chrome/commands.ts'
import { leaveGuardsSlice } from '../../src-ui/core/leave-guards.ts'
import { decision, followHistory, go } from '../../src-ui/core/location.ts'
import { overlaysSlice } from '../../src-ui/core/overlay.ts'
import { followRedirects, styleFor, titleOf } from '../../src-ui/core/page.ts'
import { themeOf } from '../../src-ui/core/preferences.ts'
import { followOtherTabs, user } from '../../src-ui/core/session.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { answering, signIn } from './answering.ts'

const network = answering(import.meta.filename)

test('the title names the screen and the product', () => {
  assert.equal(titleOf('login'), 'Login · Holdall')
  assert.equal(titleOf('global'), 'Global settings · Holdall')
  assert.equal(titleOf('notFound'), "This location can't be reached. · Holdall")
})

test('in the file area it names the folder, and how far the uploads are', () => {
  assert.equal(titleOf('files'), 'Files · Holdall')
  assert.equal(titleOf('files', { subject: 'Site visit' }), 'Site visit · Holdall')
  assert.equal(titleOf('files', { subject: 'Site visit', prefix: '46 %' }), '46 % · Site visit · Holdall')
  assert.equal(titleOf('login', { subject: 'Site visit' }), 'Login · Holdall')
})

test('the page reads its configuration from the inert element, and does without', () => {
  const page = (textContent: string) => ({ getElementById: () => ({ textContent }) as HTMLElement })
  const config = readPageConfig(page('{"Name":"Mill House","BaseURL":"/base","AuthMethod":"proxy","LoginPage":false}'))
  assert.deepEqual([config.Name, config.BaseURL, config.AuthMethod, config.LoginPage], ['Mill House', '/base', 'proxy', false])
  assert.equal(readPageConfig(undefined).LoginPage, true)
})

test('only a known theme overrides that of the system', () => {
  assert.deepEqual(['dark', 'light', '', 'pink'].map(themeOf), ['dark', 'light', undefined, undefined])
})

const paths: [path: string, encoded: string][] = [
  ['/', '/'],
  ['/a b/', '/a%20b/'],
  ['/a#b?c=d', '/a%23b%3Fc%3Dd'],
  ['/a%2Fb', '/a%252Fb'],
  ['/..%5c', '/..%255c'],
  ['/😀.bin', '/%F0%9F%98%80.bin'],
  ['/two\nlines', '/two%0Alines'],
  ['/-rf', '/-rf'],
]

for (const [path, encoded] of paths) {
  test(`the path ${JSON.stringify(path)} is ${encoded} in an address`, () => assert.equal(encodePath(path), encoded))
}

test("a folder's page ends in a slash, a file's does not", () => {
  assert.equal(pageOf('/a b', true), '/files/a%20b/')
  assert.equal(pageOf('/', true), '/files/')
  assert.equal(pageOf('/a b', false), '/files/a%20b')
  assert.equal(rawAddress('/a b', { inline: true }), '/api/raw/a%20b?inline=true')
})

test('the style sheet of the branding is on no screen where a password is typed, and not on the global settings', () => {
  const link = { disabled: true }
  const shown = (['login', 'files', 'global', 'profile', 'userNew'] as const).map((show) => {
    styleFor({ show }, link)
    return [show, !link.disabled]
  })
  assert.deepEqual(shown, [
    ['login', false],
    ['files', true],
    ['global', false],
    ['profile', true],
    ['userNew', true],
  ])
  styleFor({ go: '/files/' }, link)
  assert.equal(link.disabled, true)
})

/** The settings with unsaved cards, and the address of the page. */
async function startUnsaved(context: TestContext, cards: number) {
  const page = new EventTarget()
  const { history, location, addEventListener } = globalThis
  let url = new URL('http://holdall.invalid/settings/profile')
  const change = (name: string) => (state: unknown, _title: string, to?: string) => {
    fake.state = state
    if (to) url = new URL(to, url)
    page.dispatchEvent(new Event(name))
  }
  const fake = { state: null as unknown, pushState: change('pushState'), replaceState: change('replaceState') }
  const place = {
    get pathname() {
      return url.pathname
    },
    get search() {
      return url.search
    },
  }
  Object.assign(globalThis, { history: fake, location: place, addEventListener: page.addEventListener.bind(page) })
  await signIn(network, 'ann')
  followHistory()
  go('/settings/profile')
  const workspace = new Workspace(user)
  followRedirects()
  context.after(() => {
    workspace.dispose()
    Object.assign(globalThis, { history, location, addEventListener })
  })
  const overlays = workspace.use(overlaysSlice)
  for (let card = 0; card < cards; card++) {
    const isActive = signal(true)
    const onLeaveScreen = (leave: () => void) => {
      const goOn = () => {
        isActive.value = false
        leave()
      }
      overlays.open({ kind: 'leaveForm', leave: goOn })
    }
    workspace.use(leaveGuardsSlice).add({ isActive, mustStay: () => isActive.peek(), onLeaveScreen })
  }
  return { workspace, overlays, path: () => url.pathname + url.search }
}

test('a sign-out that was agreed to shows the login, whatever else is unsaved', async (context) => {
  const { workspace, overlays, path } = await startUnsaved(context, 2)
  await appCommands.find(({ id }) => id === 'session.logout')?.run(workspace, { items: [], folder: '/' })
  const { value } = overlays.current
  assert.deepEqual([path(), value.kind], ['/settings/profile', 'leaveForm'])
  if (value.kind === 'leaveForm') value.leave()
  while (user.value) await new Promise<void>((resolve) => setImmediate(resolve))
  assert.deepEqual([path(), decision.value], ['/login', { show: 'login' }])
})

test('a redirect asks nobody whether the screen may be left: a sign-out in another tab shows the login', async (context) => {
  const { path } = await startUnsaved(context, 1)
  const tabs = new EventTarget()
  followOtherTabs(tabs as unknown as Window, () => assert.fail())
  tabs.dispatchEvent(Object.assign(new Event('storage'), { key: null, newValue: null }))
  assert.deepEqual([path(), decision.value], ['/login?redirect=%2Fsettings%2Fprofile', { show: 'login' }])
})
