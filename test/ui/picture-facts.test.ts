// What the information says about a picture, when it asks for it, and the mode of any file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locale } from '../../src-ui/i18n/locale.ts'
import {
  cameraName,
  coordinatesOf,
  formatAltitude,
  formatCoordinates,
  formatExposure,
  formatMegapixels,
  formatResolution,
  formatTaken,
  mapAddress,
  zoneOf,
} from '../../src-ui/i18n/photo.ts'
import { formatMode } from '../../src-ui/operations/format-mode.ts'
import { pictureFacts } from '../../src-ui/operations/picture-facts.ts'
import { answering } from './answering.ts'
import { hooksOf } from './hooks.ts'

const network = answering(import.meta.filename)
const { afterEach } = hooksOf(import.meta.filename)
const english = locale.value
afterEach(() => {
  locale.value = english
})
const speak = (code: string) => {
  locale.value = { ...english, code }
}

const reply = (description: object) => ({
  text: JSON.stringify({ name: 'a.jpg', ...description }),
  headers: { 'content-type': 'application/json' },
})

test('each fact is asked for by its own call, and only when it is asked for', async () => {
  network.replies['GET /api/resources/a.jpg?metadata=true&content=false'] = reply({ resolution: { width: 4, height: 3 } })
  network.replies['GET /api/resources/a.jpg?place=true&content=false'] = reply({ place: { latitude: 1, longitude: 2 } })
  const facts = pictureFacts('/a.jpg')
  await facts.resolution.run()
  await facts.resolution.run()
  assert.deepEqual(facts.resolution.state.value, { kind: 'done', value: { width: 4, height: 3 } })
  assert.deepEqual([facts.camera.state.value, facts.place.state.value], [{ kind: 'none' }, { kind: 'none' }])
  assert.equal(network.calls.length, 1)
  await facts.place.run()
  assert.deepEqual(facts.place.state.value, { kind: 'done', value: { latitude: 1, longitude: 2 } })
})

test('what the picture does not say is known too, and what failed can be read again', async () => {
  const address = 'GET /api/resources/a.jpg?camera=true&content=false'
  const facts = pictureFacts('/a.jpg')
  network.replies[address] = { status: 503, text: '503 Service Unavailable' }
  await facts.camera.run()
  assert.equal(facts.camera.state.value.kind, 'failed')
  network.replies[address] = reply({})
  await facts.camera.run()
  assert.deepEqual(facts.camera.state.value, { kind: 'done', value: undefined })
})

test('what is cancelled is not shown, also when its answer still comes', async () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof reply>>()
  network.replies['GET /api/resources/a.jpg?camera=true&content=false'] = () => promise
  const facts = pictureFacts('/a.jpg')
  const read = facts.camera.run()
  assert.deepEqual(facts.camera.state.value, { kind: 'running' })
  facts.camera.stop()
  assert.deepEqual(facts.camera.state.value, { kind: 'none' })
  resolve(reply({ camera: { make: 'x' } }))
  await read
  assert.deepEqual(facts.camera.state.value, { kind: 'none' })
})

test('pixels are written without separators, and megapixels where there are any', () => {
  assert.equal(formatResolution({ width: 4032, height: 3024 }), '4032 × 3024')
  assert.equal(formatMegapixels({ width: 4032, height: 3024 }), '12.2 MP')
  assert.equal(formatMegapixels({ width: 32, height: 32 }), '')
  speak('de')
  assert.equal(formatMegapixels({ width: 4032, height: 3024 }), '12,2 MP')
})

test('a camera is named by maker and model, and the maker only once', () => {
  assert.equal(cameraName({ make: 'FUJIFILM', model: 'X100V' }), 'FUJIFILM X100V')
  assert.equal(cameraName({ make: 'NIKON CORPORATION', model: 'NIKON Z 6' }), 'NIKON Z 6')
  assert.equal(cameraName({ model: 'X100V' }), 'X100V')
  assert.equal(cameraName({ make: 'Apple' }), 'Apple')
  assert.equal(cameraName({}), '')
})

for (const [exposure, written] of [
  [0.004, '1/250 s'],
  [1 / 60, '1/60 s'],
  [0.000125, '1/8000 s'],
  [0.3, '1/3 s'],
  [0.5, '0.5s'],
  [30, '30s'],
] as const) {
  test(`an exposure of ${exposure} seconds is written ${written}`, () => {
    assert.deepEqual(formatExposure({ exposure }), [written])
  })
}

test('what the camera does not know of an exposure is left out', () => {
  const camera = { exposure: 0.004, aperture: 2.8, sensitivity: 12_800, focalLength: 35 }
  assert.deepEqual(formatExposure(camera), ['1/250 s', 'f/2.8', 'ISO 12800', '35 mm'])
  assert.deepEqual(formatExposure({ aperture: 8 }), ['f/8'])
  assert.deepEqual(formatExposure({}), [])
})

test("the time is that of the camera's clock, whatever the zone of the reader", () => {
  speak('de')
  assert.equal(formatTaken('2026-11-19T08:31:40+02:00'), '19.11.2026, 08:31')
  assert.equal(formatTaken('2026-03-29T02:30:00'), '29.03.2026, 02:30')
  assert.equal(formatTaken('x'), '')
  assert.deepEqual([zoneOf('2026-11-19T08:31:40+02:00'), zoneOf('2026-11-19T08:31:40')], ['UTC+02:00', ''])
})

test('a place is written for people, and copied for programs', () => {
  const place = { latitude: -51.5, longitude: -0.25, altitude: 35 }
  assert.equal(formatCoordinates(place), '51.5° S, 0.25° W')
  assert.equal(formatCoordinates({ latitude: 47.123456, longitude: 8 }), '47.12346° N, 8° E')
  assert.deepEqual(
    [formatAltitude(place), formatAltitude({ ...place, altitude: -3.2 })],
    ['35 m above sea level', '3 m below sea level'],
  )
  assert.equal(formatAltitude({ latitude: 1, longitude: 2 }), '')
  assert.equal(coordinatesOf({ latitude: 47.123456, longitude: -0.000001 }), '47.12346, 0')
  assert.equal(mapAddress(place), 'https://www.openstreetmap.org/?mlat=-51.5&mlon=-0.25#map=15/-51.5/-0.25')
  speak('de')
  assert.equal(coordinatesOf(place), '-51.5, -0.25')
})

for (const [mode, letters, octal] of [
  [0o640, 'rw-r-----', '640'],
  [2 ** 31 + 0o750, 'rwxr-x---', '750'],
  [2 ** 27 + 0o777, 'rwxrwxrwx', '777'],
  [2 ** 31 + 2 ** 20 + 0o777, 'rwxrwxrwt', '1777'],
  [2 ** 23 + 0o644, 'rwSr--r--', '4644'],
  [2 ** 31 + 2 ** 22 + 0o2750, 'rwxr-s---', '2750'],
  [0, '---------', '000'],
] as const) {
  test(`the mode ${mode} is written ${letters} and ${octal}`, () => assert.deepEqual(formatMode(mode), { letters, octal }))
}
