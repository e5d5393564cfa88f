import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePath, pageOf, rawAddress } from '../../src-ui/api/addresses.ts'
import { readPageConfig } from '../../src-ui/api/page-config.ts'
import { styleFor, titleOf } from '../../src-ui/core/page.ts'
import { themeOf } from '../../src-ui/core/preferences.ts'

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
