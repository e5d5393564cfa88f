import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubleTapTime } from '../../src-ui/preview/use-gestures.ts'
import { idleTime } from '../../src-ui/preview/use-idle.ts'
import { resizeDelay } from '../../src-ui/preview/use-zoom.ts'
import {
  bounded,
  cycledZoom,
  type Frame,
  fittedSize,
  largestZoom,
  smallestZoom,
  steppedZoom,
  unzoomed,
  zoomedAt,
  zoomStep,
} from '../../src-ui/preview/zoom.ts'

const frame: Frame = { stage: { width: 1000, height: 600 }, picture: { width: 800, height: 600 } }

test('Image zoom: from 0.25 to 4 by 0.25', () => {
  assert.deepEqual([smallestZoom, largestZoom, zoomStep], [0.25, 4, 0.25])
  const up: number[] = []
  for (let zoom = 0.25; zoom < 4; zoom = steppedZoom(zoom, 1)) up.push(zoom)
  assert.deepEqual(
    up,
    Array.from({ length: 15 }, (_, index) => (index + 1) / 4),
  )
  assert.deepEqual([steppedZoom(4, 1), steppedZoom(0.25, -1), steppedZoom(1, -1)], [4, 0.25, 0.75])
})

test('a step after a pinch leads to the next multiple of 0.25', () => {
  assert.deepEqual([steppedZoom(1.1, 1), steppedZoom(1.1, -1), steppedZoom(1.2499999999, 1)], [1.25, 1, 1.5])
})

test('Image zoom: a double click cycles 1, 2, 4', () => {
  assert.deepEqual([1, 2, 4, 1.25, 3, 0.5].map(cycledZoom), [2, 4, 1, 2, 4, 1])
})

test('Resize debounce 100 ms', () => assert.equal(resizeDelay, 100))
test('a second tap within 300 ms is a double tap, and the controls stay for 3 s', () => {
  assert.deepEqual([doubleTapTime, idleTime], [300, 3000])
})

test('what is under the pointer stays there while the picture is zoomed', () => {
  const at = { x: 200, y: 100 }
  const on = ({ zoom, x, y }: typeof unzoomed) => ({ x: (at.x - x) / zoom, y: (at.y - y) / zoom })
  const twice = zoomedAt(unzoomed, 2, at, frame)
  assert.deepEqual(on(twice), at)
  assert.deepEqual(on(zoomedAt(twice, 4, at, frame)), at)
})

test('a picture is not moved further than its edges, and not at all while it fits', () => {
  assert.deepEqual(bounded({ zoom: 2, x: 9999, y: -9999 }, frame), { zoom: 2, x: 300, y: -300 })
  assert.deepEqual(bounded({ zoom: 1, x: 50, y: 50 }, frame), { zoom: 1, x: 0, y: 0 })
  assert.deepEqual(zoomedAt({ zoom: 4, x: 1000, y: 800 }, 1, { x: 0, y: 0 }, frame), unzoomed)
})

test('a picture fits the stage and is not enlarged, except a smaller picture of a larger file', () => {
  const stage = { width: 1000, height: 600 }
  assert.deepEqual(fittedSize({ width: 4000, height: 3000 }, stage), { width: 800, height: 600 })
  assert.deepEqual(fittedSize({ width: 40, height: 30 }, stage), { width: 40, height: 30 })
  assert.deepEqual(fittedSize({ width: 40, height: 30 }, stage, true), { width: 800, height: 600 })
})
