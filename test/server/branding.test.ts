// The branding: the page's configuration, the accent, the files of the folder, and the style sheet.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { PageConfig } from '../../src-server/contract/page.ts'
import { reportBrandingFolder } from '../../src-server/pages/branding-folder.ts'
import { startApp } from '../support/start-app.ts'

const app = await startApp({ after }, { users: { root: { perm: allPermissions } }, options: { baseURL: '/base' } })
const root = await app.as('root')
const folder = join(app.folder, 'branding')
mkdirSync(join(folder, 'img/icons'), { recursive: true })

async function set(branding: object) {
  const answer = await root.ask('PUT', '/api/settings', { body: JSON.stringify({ branding }) })
  assert.equal(answer.status, 200, await answer.text())
}
/** What was read of the folder is used for two seconds. */
const later = () => app.clock.advance({ milliseconds: 2001 })
const get = (path: string) => fetch(`${app.url}/${path}`)
const status = async (path: string) => (await get(path)).status
const page = async (path = '') => (await get(path)).text()

function configIn(html: string): PageConfig {
  // As a browser reads it: until the first end of a script element.
  const text = /<script type="application\/json" id="holdall-config">(.*?)<\/script/s.exec(html)?.[1] ?? ''
  return JSON.parse(text) as PageConfig
}

const names = [
  ...[
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '"><img src=x onerror=alert(1)>',
    "'); alert(1); ('",
    '`$' + '{alert(1)}`',
  ],
  ...['a\u2028b\u2029c', '\u202etxt.exe', 'a\nb\r\nc', '&lt;b&gt; &amp;', '\\u003cscript>', '😀 Büro', ']]>', 'x'.repeat(255)],
]

for (const name of names) {
  test(`the name ${JSON.stringify(name.slice(0, 40))} is text in the page and in its configuration`, async () => {
    await set({ name })
    for (const path of ['', 'login', 'share/abcdefghijklmnopqrstuv']) {
      const html = await page(path)
      assert.equal(configIn(html).Name, name)
      const title = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''
      assert.doesNotMatch(title, /[<>"]/)
      const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
      assert.equal(
        title.replace(/&(lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity),
        name,
      )
      assert.equal(html.split('<script').length, 3)
    }
  })
}

test('the configuration of the page has the fields that clients know', async () => {
  await set({ name: '', theme: 'dark', disableExternal: true, disableUsedPercentage: true })
  const html = await page()
  const { Locales: _, Version, ...config } = configIn(html)
  assert.equal(typeof Version, 'string')
  assert.deepEqual(config, {
    ...{ Name: 'Holdall', DisableExternal: true, DisableUsedPercentage: true, BaseURL: '/base', StaticURL: '/base/static' },
    ...{
      ReCaptcha: false,
      ReCaptchaKey: '',
      ReCaptchaHost: '',
      Signup: false,
      NoAuth: false,
      AuthMethod: 'json',
      LoginPage: true,
    },
    ...{ Theme: 'dark', EnableThumbs: true, ResizePreview: true, EnableExec: false, LinkPasswordLength: 8 },
  })
  assert.match(html, /<html [^>]*data-theme="dark"/)
  await set({ theme: 'light' })
  assert.match(await page(), /<html [^>]*data-theme="light"/)
  await set({ theme: '' })
  assert.doesNotMatch(await page(), /<html [^>]*data-theme/)
})

test('the accent is a ramp of the colour with the lightness of the product’s own', async () => {
  assert.doesNotMatch(await page(), /--accent-600/)
  await set({ color: '#2979ff' })
  assert.match(
    await page('login'),
    /:root\{--accent-50:oklch\(from #2979ff 0\.979 [^;]+;.*--accent-600:oklch\(from #2979ff 0\.474 /,
  )
  await set({ color: '' })
})

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('logo and icons of the folder are served and named by the page; a drawing is sandboxed', async () => {
  writeFileSync(join(folder, 'img/logo.svg'), drawing)
  writeFileSync(join(folder, 'img/icons/favicon-32x32.png'), 'png')
  assert.equal(await status('static/img/logo.svg'), 404)
  await set({ files: folder })
  const answer = await get('static/img/logo.svg')
  assert.equal(await answer.text(), drawing)
  const { headers } = answer
  assert.equal(headers.get('content-type'), 'image/svg+xml')
  assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
  assert.deepEqual(
    ['x-content-type-options', 'cross-origin-resource-policy', 'cache-control'].map((name) => headers.get(name)),
    ['nosniff', 'same-origin', 'no-cache'],
  )
  const known = { 'If-None-Match': headers.get('etag') ?? '' }
  assert.equal((await fetch(`${app.url}/static/img/logo.svg`, { headers: known })).status, 304)
  const html = await page('login')
  assert.match(html, /url\("\/base\/static\/img\/logo\.svg"\)/)
  assert.match(html, /<link rel="icon" type="image\/png" sizes="32x32" href="\/base\/static\/img\/icons\/favicon-32x32\.png">/)
  writeFileSync(join(folder, 'img/logo.svg'), '<svg/>')
  later()
  assert.equal(await (await get('static/img/logo.svg')).text(), '<svg/>')
})

test('only the files of the list are served: nothing else of the folder, and nothing beside it', async () => {
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'img/other.svg'), drawing)
  writeFileSync(join(folder, 'custom.css'), 'a{}')
  later()
  const paths = ['secret.txt', 'img/other.svg', 'custom.css', 'img', 'img/', 'img/icons', 'constructor', '__proto__', '']
  const out = ['..%2fstate.json', 'img/..%2f..%2fstate.json', 'img%2flogo.svg%00', 'IMG/logo.svg', '/etc/passwd']
  for (const path of [...paths, ...out]) assert.equal(await status(`static/${path}`), 404, path)
})

test('a link that leads out of the folder, a folder, a named pipe and a file of more than 1 MiB are not served', async () => {
  const icons = join(folder, 'img/icons')
  writeFileSync(join(app.folder, 'outside.png'), 'outside')
  symlinkSync(join(app.folder, 'outside.png'), join(icons, 'favicon-16x16.png'))
  symlinkSync('favicon-32x32.png', join(icons, 'apple-touch-icon.png'))
  mkdirSync(join(icons, 'mstile-144x144.png'))
  execFileSync('mkfifo', [join(icons, 'favicon.ico')])
  symlinkSync('/dev/zero', join(icons, 'favicon.svg'))
  writeFileSync(join(icons, 'android-chrome-192x192.png'), Buffer.alloc(1024 * 1024))
  writeFileSync(join(icons, 'android-chrome-512x512.png'), Buffer.alloc(1024 * 1024 + 1))
  later()
  const served = async (name: string) => [name, await status(`static/img/icons/${name}`)]
  const expected = {
    ...{ 'favicon-16x16.png': 404, 'apple-touch-icon.png': 200, 'mstile-144x144.png': 404, 'favicon.ico': 404 },
    ...{ 'favicon.svg': 404, 'android-chrome-192x192.png': 200, 'android-chrome-512x512.png': 404 },
  }
  assert.deepEqual(Object.fromEntries(await Promise.all(Object.keys(expected).map(served))), expected)
})

test('the style sheet is that of the folder and then that of the settings, and the page has it turned off at first', async () => {
  await set({ css: 'b{color:blue}' })
  writeFileSync(join(folder, 'custom.css'), 'a{color:red}')
  later()
  const answer = await get('static/branding.css')
  assert.equal(await answer.text(), 'a{color:red}\nb{color:blue}')
  assert.equal(answer.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.match(await page('files/'), /<link rel="stylesheet" id="branding-style" href="\/base\/static\/branding\.css" disabled>/)
})

const unused: readonly (readonly [what: string, css: string])[] = [
  ['loads another style sheet', '@import "https://example.com/a.css";'],
  ['loads a picture', 'a{background:url(https://example.com/x)}'],
  ['hides the address', 'a{background:u\\72l(https://example.com/x)}'],
  ['is larger than 256 KiB', `/*${'x'.repeat(256 * 1024)}*/`],
]

for (const [what, css] of unused) {
  test(`a style sheet of the folder that ${what} is not used, and that of the settings is`, async () => {
    writeFileSync(join(folder, 'custom.css'), css)
    later()
    assert.equal(await (await get('static/branding.css')).text(), 'b{color:blue}')
  })
}

test('without a style sheet there is none', async () => {
  writeFileSync(join(folder, 'custom.css'), '')
  later()
  await set({ css: '' })
  assert.equal(await status('static/branding.css'), 404)
  assert.doesNotMatch(await page(), /branding-style/)
})

test('addresses about the product stand in the configuration; with external links disabled, the documentation alone', async (t) => {
  const links = { home: 'https://a.example/', report: 'https://a.example/bugs?a=b&c', documentation: 'https://a.example/docs' }
  const linked = await startApp(t, { users: { root: { perm: allPermissions } }, services: { links } })
  const html = async () => configIn(await (await fetch(linked.url)).text()).Links
  assert.deepEqual(await html(), { Home: links.home, Report: links.report, Documentation: links.documentation })
  const calls = await linked.as('root')
  await calls.ask('PUT', '/api/settings', { body: '{"branding":{"disableExternal":true}}' })
  assert.deepEqual(await html(), { Documentation: links.documentation })
  assert.equal(configIn(await page()).Links, undefined)
})

test('a start warns of a stored folder that lies in the served one, also through a link, and of no other', () => {
  const served = join(app.root, 'brand')
  const link = join(app.folder, 'brand-link')
  mkdirSync(served)
  symlinkSync(served, link)
  const warnings: string[] = []
  for (const path of ['', folder, join(app.folder, 'gone'), served, link])
    reportBrandingFolder(path, app.root, { warn: (text) => warnings.push(text) })
  assert.deepEqual(
    warnings.map((text) => /^the branding folder (\S+) lies in the served folder/.exec(text)?.[1]),
    [served, link],
  )
})
