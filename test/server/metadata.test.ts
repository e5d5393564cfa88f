// What a picture says about itself: its resolution, its camera and its place, each only when it is asked for.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { cameraExif, picture, svg, turned, zeroPng } from '../support/pictures.ts'
import { only, startApp } from '../support/start-app.ts'

const plain = () => sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue' } })
const photo = (format: 'jpeg' | 'webp' | 'avif' | 'png' | 'tiff') => plain().withExif(cameraExif).toFormat(format).toBuffer()

const app = await startApp(
  { after },
  {
    files: {
      'photo.jpg': await photo('jpeg'),
      'photo.webp': await photo('webp'),
      'photo.avif': await photo('avif'),
      'photo.png': await photo('png'),
      'turned.jpg': await turned(),
      'nowhere.jpg': await plain()
        .withExif({
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '0/1 0/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '0/1 0/1 0/1' },
        })
        .jpeg()
        .toBuffer(),
      'plain.png': await picture('png', 30, 20),
      'drawing.svg': svg('<circle r="5"/>'),
      'huge.png': zeroPng(50_000, 50_000, { bits: 1 }),
      'broken.jpg': 'no picture',
      'a.txt': 'text',
    },
    users: { ann: {}, bare: { perm: only() } },
  },
)
const ann = await app.as('ann')
const ask = async (name: string, query: string) => {
  const answer = await ann.get(name, query)
  assert.equal(answer.status, 200, `${name}: ${await answer.clone().text()}`)
  const { resolution, camera, place } = await answer.json()
  return { ...(resolution && { resolution }), ...(camera && { camera }), ...(place && { place }) }
}

const camera = {
  make: 'Hold all',
  model: 'M'.repeat(100),
  lens: '35 mm',
  taken: '2026-11-19T08:31:40+02:00',
  exposure: 0.004,
  aperture: 2.8,
  sensitivity: 200,
  focalLength: 35,
}
const place = { latitude: -51.5, longitude: -0.25, altitude: 35 }

for (const name of ['photo.jpg', 'photo.webp', 'photo.avif', 'photo.png']) {
  test(`${name} has a camera and a place, each when it is asked for`, async () => {
    const { resolution, ...rest } = await ask(`/${name}`, 'metadata=true')
    assert.ok(resolution.width > 0 && resolution.height > 0)
    assert.deepEqual(rest, {})
    assert.deepEqual(await ask(`/${name}`, 'camera=true'), { camera })
    assert.deepEqual(await ask(`/${name}`, 'place=true'), { place })
    assert.deepEqual(Object.keys(await ask(`/${name}`, 'metadata=true&camera=true&place=true')), [
      'resolution',
      'camera',
      'place',
    ])
  })
}

test('the resolution is that of the picture as it is shown', async () => {
  assert.deepEqual(await ask('/turned.jpg', 'metadata=true'), { resolution: { width: 40, height: 60 } })
  assert.deepEqual(await ask('/plain.png', 'metadata=true'), { resolution: { width: 30, height: 20 } })
  assert.deepEqual(await ask('/drawing.svg', 'metadata=true'), { resolution: { width: 64, height: 64 } })
})

test('nothing is said when nothing is asked for, and by files that are no pictures or cannot be decoded', async () => {
  assert.deepEqual(await ask('/photo.jpg', ''), {})
  assert.deepEqual(await ask('/photo.jpg', 'metadata=1&camera=&place=false'), {})
  for (const name of ['/broken.jpg', '/huge.png', '/a.txt', '/'])
    assert.deepEqual(await ask(name, 'metadata=true&camera=true&place=true'), {}, name)
})

test('a camera without a receiver has no place, and a picture without a camera no camera', async () => {
  assert.deepEqual(await ask('/nowhere.jpg', 'place=true&camera=true'), {})
  assert.deepEqual(await ask('/plain.png', 'place=true&camera=true'), {})
})

test('without the right to download nothing is read from the file', async () => {
  const answer = await (await app.as('bare')).get('/photo.jpg', 'metadata=true&camera=true&place=true')
  const { resolution, camera, place, type } = await answer.json()
  assert.deepEqual([answer.status, type, resolution, camera, place], [200, 'image', undefined, undefined, undefined])
})

test('the text of a file stays in the answer', async () => {
  assert.equal((await ann.read('/a.txt')).content, 'text')
  const answer = await ann.get('/a.txt', 'metadata=true')
  assert.equal((await answer.json()).content, 'text')
})
