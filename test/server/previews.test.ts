// Previews of pictures, made by child processes.
import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { moving, picture, svg, turned, zeroPng } from '../support/pictures.ts'
import { deny, only, startApp } from '../support/start-app.ts'

const formats = ['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const
const sized = await Promise.all(formats.map(async (format) => [`wide.${format}`, await picture(format, 3000, 1000)] as const))
const photo = await picture('jpeg', 600, 300)
const app = await startApp(
  { after },
  {
    files: {
      ...Object.fromEntries(sized),
      'WIDE.JPG': await picture('jpeg', 3000, 1000),
      'small.png': await picture('png', 10, 20),
      'drawing.svg': svg('<circle cx="32" cy="32" r="20" fill="red"/>'),
      'clear.png': await sharp({ create: { width: 900, height: 900, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
      'turned.jpg': await turned(),
      'moving.gif': await moving('gif'),
      'moving.webp': await moving('webp'),
      'photo.jpg': photo,
      'secret.jpg': photo,
      'cut.jpg': photo.subarray(0, photo.length / 2),
      'text.jpg': 'not a picture at all',
      'empty.jpg': '',
      'huge.png': zeroPng(50_000, 50_000, { bits: 1 }),
      'film.mp4': 'x',
      'paper.pdf': '%PDF-1.7',
      'raw.heic': 'x',
      'script.svg': svg('<script>1</script><circle r="5"/>'),
      'file.svg': svg('<image href="file:///etc/hostname" width="10" height="10"/>'),
      'near.svg': svg('<image xlink:href="photo.jpg" width="10" height="10"/>'),
      'style.svg': svg('<style>@import "x.css";</style><circle r="5"/>'),
      'entity.svg': `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<text>&a;</text>')}`,
      'packed.svg': gzipSync(svg('<circle r="5"/>')),
      'linked.svg': svg('<a xlink:href="https://example.org/"><circle r="50" fill="red"/></a>'),
      'many.svg': svg(`<g>${'<circle r="1"/>'.repeat(200_000)}</g>`),
      'folder/': '',
      outside: { link: '/etc' },
    },
    users: { ann: {}, bare: { perm: only() } },
    rules: [deny('/secret.jpg')],
  },
)
const ann = await app.as('ann')
const preview = (size: string, name: string, headers = {}) => ann.ask('GET', `/api/preview/${size}/${name}`, { headers })

async function sizeOf(size: 'thumb' | 'big', name: string) {
  const answer = await preview(size, name)
  assert.equal(answer.status, 200, `${name}: ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { width, height, format, pages, exif } = await sharp(bytes).metadata()
  assert.equal(answer.headers.get('Content-Type'), `image/${format}`)
  assert.equal(exif, undefined)
  assert.equal(pages ?? 1, 1)
  return { width, height, format, bytes }
}

for (const name of [...sized.map(([name]) => name), 'WIDE.JPG']) {
  test(`${name} has previews in its proportions`, async () => {
    const { width, height, format } = await sizeOf('thumb', name)
    assert.deepEqual([width, height, format], [512, 171, 'webp'])
    const big = await sizeOf('big', name)
    // A picture that may be transparent is not made a JPEG.
    assert.deepEqual([big.width, big.height, big.format], [2048, 683, name === 'wide.gif' ? 'webp' : 'jpeg'])
  })
}

test('a picture that is smaller is not enlarged, and a drawing is', async () => {
  const { width, height } = await sizeOf('thumb', 'small.png')
  assert.deepEqual([width, height], [10, 20])
  assert.equal((await sizeOf('thumb', 'drawing.svg')).width, 512)
})

test('a transparent picture stays transparent', async () => {
  const { bytes, format } = await sizeOf('big', 'clear.png')
  assert.equal(format, 'webp')
  assert.equal((await sharp(bytes).stats()).isOpaque, false)
})

test('a photograph is turned as its camera was held, and its camera and place are left out', async () => {
  const { width, height, bytes } = await sizeOf('thumb', 'turned.jpg')
  assert.deepEqual([width, height], [40, 60])
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const [top, bottom] = [data.subarray(0, 3), data.subarray(-3)]
  assert.ok((top[2] ?? 0) > 200 && (top[0] ?? 255) < 60, 'the right side is the top')
  assert.ok((bottom[0] ?? 0) > 200 && (bottom[2] ?? 255) < 60, 'the left side is the bottom')
})

for (const name of ['moving.gif', 'moving.webp']) {
  test(`of ${name} the first frame is shown`, async () => {
    const { bytes } = await sizeOf('thumb', name)
    const { dominant } = await sharp(bytes).stats()
    assert.ok(dominant.r > 200 && dominant.b < 60)
  })
}

const refused = [
  ['thumb/cut.jpg', 501],
  ['thumb/text.jpg', 501],
  ['thumb/empty.jpg', 501],
  ['thumb/film.mp4', 501],
  ['thumb/paper.pdf', 501],
  ['thumb/raw.heic', 501],
  ['thumb/folder', 501],
  ['big/', 501],
  ['thumb/huge.png', 413],
  ['big/huge.png', 413],
  ['thumb/many.svg', 413],
  ['thumb/script.svg', 501],
  ['thumb/file.svg', 501],
  ['thumb/near.svg', 501],
  ['thumb/style.svg', 501],
  ['thumb/entity.svg', 501],
  ['thumb/packed.svg', 501],
  ['thumb/missing.jpg', 404],
  ['thumb/secret.jpg', 403],
  ['thumb/outside/x.jpg', 403],
  ['small/photo.jpg', 400],
  ['thumb/..%2fphoto.jpg', 400],
] as const
for (const [path, status] of refused) {
  test(`GET /api/preview/${path} is ${status}`, async () => {
    const answer = await ann.ask('GET', `/api/preview/${path}`)
    assert.equal(answer.status, status)
    const text = await answer.text()
    assert.match(text, new RegExp(`^${status} .+\\n$`))
    assert.ok(!text.includes(app.folder), text)
    assert.equal(answer.headers.get('ETag'), null)
  })
}

test('a file of 2 GB named like a picture is refused before it is opened', async () => {
  writeFileSync(join(app.root, 'large.jpg'), photo)
  truncateSync(join(app.root, 'large.jpg'), 2e9)
  assert.equal((await preview('thumb', 'large.jpg')).status, 413)
})

test('links inside a drawing do not prevent its preview', async () => {
  assert.equal((await preview('thumb', 'linked.svg')).status, 200)
})

test('a drawing makes no request', async (t) => {
  let asked = 0
  const server = createServer((_, answer) => {
    asked += 1
    answer.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const address = `http://127.0.0.1:${port}/x`
  const drawings = [
    `<image href="${address}" width="9" height="9"/>`,
    `<use href="${address}#a"/>`,
    `<rect width="9" height="9" fill="url(${address}#a)"/>`,
    `<style>@font-face { font-family: a; src: url(${address}) } text { font-family: a }</style><text>a</text>`,
  ]
  for (const [index, drawing] of drawings.entries()) {
    writeFileSync(join(app.root, `asks-${index}.svg`), svg(drawing))
    assert.equal((await preview('thumb', `asks-${index}.svg`)).status, 501, drawing)
  }
  assert.equal(asked, 0)
})

test('without the right to download there is no preview', async () => {
  const bare = await app.as('bare')
  assert.equal((await bare.ask('GET', '/api/preview/thumb/photo.jpg')).status, 403)
})

test('a preview has the version of its file, is asked for again each time, and runs nothing', async () => {
  const first = await preview('thumb', 'photo.jpg?inline=true')
  const tag = first.headers.get('ETag') ?? ''
  assert.match(tag, /^"[\w-]+"$/)
  assert.equal(first.headers.get('Cache-Control'), 'private, no-cache')
  assert.equal(first.headers.get('X-Content-Type-Options'), 'nosniff')
  assert.match(first.headers.get('Content-Security-Policy') ?? '', /sandbox; default-src 'none'/)
  assert.match(first.headers.get('Content-Disposition') ?? '', /^inline; filename="photo\.webp"/)
  // fetch() adds `no-cache` to a condition unless there is another value.
  const known = await preview('thumb', 'photo.jpg', { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' })
  assert.deepEqual([known.status, await known.text()], [304, ''])
  const attached = await preview('thumb', 'photo.jpg')
  assert.match(attached.headers.get('Content-Disposition') ?? '', /^attachment/)
  assert.equal(attached.headers.get('Content-Type'), 'image/webp')
  await ann.save('/photo.jpg', await picture('jpeg', 90, 60, 'blue'))
  const changed = await preview('thumb', 'photo.jpg', { 'If-None-Match': tag })
  assert.equal(changed.status, 200)
  assert.equal((await sharp(Buffer.from(await changed.arrayBuffer())).metadata()).width, 90)
})

test('the session cookie serves for a preview, so that a page can show it', async () => {
  const cookie = `auth-${app.parts.state.data.instance}=${ann.token}`
  const answer = await app.principal().ask('GET', '/api/preview/thumb/small.png?inline=true', { headers: { Cookie: cookie } })
  assert.equal(answer.status, 200)
})

test('HEAD answers with the headers alone', async () => {
  const answer = await ann.ask('HEAD', '/api/preview/thumb/small.png')
  assert.deepEqual([answer.status, answer.headers.get('Content-Type'), await answer.text()], [200, 'image/webp', ''])
})

for (const [size, option] of [
  ['thumb', 'thumbnails'],
  ['big', 'resizePreview'],
] as const) {
  test(`with ${option} switched off ${size} sends pictures that browsers show as they are, and never a drawing`, async (t) => {
    const bytes = await picture('png', 3000, 20)
    const files = { 'a.png': bytes, 'a.svg': svg('<circle r="5"/>'), 'a.tiff': await picture('tiff', 20, 20), 'a.txt': 'a' }
    const off = await startApp(t, { files, options: { [option]: false } })
    const bob = await off.as('ann')
    const whole = await bob.ask('GET', `/api/preview/${size}/a.png?inline=true`)
    assert.deepEqual([whole.status, whole.headers.get('Content-Type')], [200, 'image/png'])
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes)
    for (const name of ['a.svg', 'a.tiff', 'a.txt'])
      assert.equal((await bob.ask('GET', `/api/preview/${size}/${name}?inline=true`)).status, 501, name)
    const other = size === 'thumb' ? 'big' : 'thumb'
    assert.match((await bob.ask('GET', `/api/preview/${other}/a.svg`)).headers.get('Content-Type') ?? '', /webp/)
    const page = await (await bob.ask('GET', '/files/', { headers: { Accept: 'text/html' } })).text()
    assert.ok(page.includes(`"EnableThumbs":${size !== 'thumb'}`))
    assert.ok(page.includes(`"ResizePreview":${size !== 'big'}`))
  })
}
