import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import { afterLogin, type Decision, decide, filePathOf } from '../../src-ui/core/routes.ts'

const person = { perm: { ...noPermissions } }
const administrator = { perm: { ...allPermissions } }
const users = { nobody: null, person, administrator }

function go(address: string, user: keyof typeof users, base = ''): Decision {
  const [pathname = '', search = ''] = address.split(/(?=\?)/)
  return decide({ pathname, search }, users[user], base)
}

const login = (redirect: string): Decision => ({ go: `/login?redirect=${encodeURIComponent(redirect)}` })
const forbidden: Decision = { go: '/403' }

const table: [address: string, nobody: Decision, person: Decision, administrator: Decision][] = [
  ['/login', { show: 'login' }, { go: '/files/' }, { go: '/files/' }],
  ['/files/', login('/files/'), { show: 'files' }, { show: 'files' }],
  ['/files/a%20b/c.txt', login('/files/a%20b/c.txt'), { show: 'files' }, { show: 'files' }],
  // The server answers links with a page of their own.
  ['/share/8ABqPQ2h', { go: '/files/share/8ABqPQ2h' }, { go: '/files/share/8ABqPQ2h' }, { go: '/files/share/8ABqPQ2h' }],
  ['/settings/profile', login('/settings/profile'), { show: 'profile' }, { show: 'profile' }],
  ['/settings/shares', login('/settings/shares'), { show: 'shares' }, { show: 'shares' }],
  ['/settings/global', login('/settings/global'), forbidden, { show: 'global' }],
  ['/settings/users', login('/settings/users'), forbidden, { show: 'users' }],
  ['/settings/users/new', login('/settings/users/new'), forbidden, { show: 'userNew' }],
  ['/settings/users/12', login('/settings/users/12'), forbidden, { show: 'userEdit' }],
  ['/403', { show: 'forbidden' }, { show: 'forbidden' }, { show: 'forbidden' }],
  ['/404', { show: 'notFound' }, { show: 'notFound' }, { show: 'notFound' }],
  ['/500', { show: 'internal' }, { show: 'internal' }, { show: 'internal' }],
]

for (const [address, ...expected] of table) {
  test(`${address} is decided by the route table for nobody, a user and an administrator`, () => {
    const decided = (['nobody', 'person', 'administrator'] as const).map((user) => go(address, user))
    assert.deepEqual(decided, expected)
  })
}

test('/files, /settings and unknown paths are redirected, with their query', () => {
  assert.deepEqual(go('/files', 'person'), { go: '/files/' })
  assert.deepEqual(go('/settings', 'person'), { go: '/settings/profile' })
  assert.deepEqual(go('/', 'person'), { go: '/files/' })
  assert.deepEqual(go('/Mill%20House/plan.pdf?x=1', 'nobody'), { go: '/files/Mill%20House/plan.pdf?x=1' })
  assert.deepEqual(go('/filesystem', 'person'), { go: '/files/filesystem' })
})

test('the login redirect holds the wanted full path, with base URL and query', () => {
  assert.deepEqual(go('/base/files/a%23b?x=1', 'nobody', '/base'), login('/base/files/a%23b?x=1'))
})

test('an address whose segments are no names, such as ..%2f..%2fetc, shows that it is not found', () => {
  for (const path of ['..%2f..%2fetc/', 'a/..%2F', '%2e%2e%2fetc', 'a%2Fb', 'x/%00']) {
    assert.deepEqual(go(`/files/${path}`, 'person'), { show: 'notFound' }, path)
    assert.equal(filePathOf(`/files/${path}`), '/', path)
  }
  assert.deepEqual(go('/files/..a/a%252Fb/', 'person'), { show: 'files' })
})

test('below a base URL the routes are the same', () => {
  assert.deepEqual(go('/base', 'person', '/base'), { go: '/files/' })
  assert.deepEqual(go('/base/files/x', 'person', '/base'), { show: 'files' })
  assert.deepEqual(go('/files/files/x', 'person', '/files'), { show: 'files' })
})

const redirects: [wanted: string, base: string, leadsTo: Decision][] = [
  ['/files/a%23b/', '', { go: '/files/a%23b/' }],
  ['/files', '', { go: '/files' }],
  ['/settings/profile?tab=2', '', { go: '/settings/profile?tab=2' }],
  ['/api/raw/a.pdf?inline=true', '', { leave: '/api/raw/a.pdf?inline=true' }],
  ['/base/api/preview/big/a.png', '/base', { leave: '/base/api/preview/big/a.png' }],
  ['/base/files/x', '/base', { go: '/files/x' }],
  // Everything else leads to the files.
  ['/files/x', '/base', { go: '/files/' }],
  ['/api/logout', '', { go: '/files/' }],
  ['/login?redirect=/login', '', { go: '/files/' }],
  ['/files/../api/logout', '', { go: '/files/' }],
  ['/files/%2e%2e/api/logout', '', { go: '/files/' }],
  ['/filesystem', '', { go: '/files/' }],
  ['//example.org/files/', '', { go: '/files/' }],
  ['/\\example.org/files/', '', { go: '/files/' }],
  ['/\t/example.org/files/', '', { go: '/files/' }],
  ['https://example.org/files/', '', { go: '/files/' }],
  ['javascript:alert(1)//files/', '', { go: '/files/' }],
  ['', '', { go: '/files/' }],
]

for (const [wanted, base, leadsTo] of redirects) {
  test(`after the login, a redirect to ${JSON.stringify(wanted)} below '${base}' leads to ${Object.values(leadsTo)[0]}`, () => {
    assert.deepEqual(afterLogin(`?redirect=${encodeURIComponent(wanted)}`, base), leadsTo)
  })
}

test('a path of the file area is decoded segment by segment, once', () => {
  assert.equal(filePathOf('/files/'), '/')
  assert.equal(filePathOf('/files/a%23b'), '/a#b')
  assert.equal(filePathOf('/files/a%2523b/100%25/'), '/a%23b/100%/')
  assert.equal(filePathOf('/files/%F0%9F%98%80.bin'), '/😀.bin')
  // Typed by hand and not validly encoded: taken literally.
  assert.equal(filePathOf('/files/100%/%zz'), '/100%/%zz')
  assert.equal(filePathOf('/base/files/x/', '/base'), '/x/')
})
