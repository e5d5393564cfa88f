import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, toSortedEntries } from '../../src-ui/core/entries.ts'
import { neighboursOf } from '../../src-ui/core/file-view.ts'
import { hasFullSize, isLargeText, kindOf, largestDrawing, pictureSources } from '../../src-ui/preview/kinds.ts'
import { swipedTo } from '../../src-ui/preview/swipe.ts'
import { file, folder, resourceOf } from './entries.ts'

test('Preview next and previous skip to neighbouring entries of type image, video, audio or blob', () => {
  const entries = entriesOf(
    resourceOf([
      folder('folder'),
      file('a.png', { type: 'image' }),
      file('b.txt', { type: 'text' }),
      file('c.mp4', { type: 'video' }),
      file('d.pdf', { type: 'pdf' }),
      file('e.mp3', { type: 'audio' }),
      file('f.bin', { type: 'blob' }),
      file('g.png', { type: 'image', unreachable: 'broken' }),
      file('h.txt', { type: 'textImmutable' }),
    ]),
  )
  const around = (path: string) => {
    const { previous, next, position } = neighboursOf(toSortedEntries(entries), path)
    return [previous?.name, next?.name, position?.at, position?.of]
  }
  assert.deepEqual(around('/a.png'), [undefined, 'c.mp4', 1, 4])
  assert.deepEqual(around('/c.mp4'), ['a.png', 'e.mp3', 2, 4])
  assert.deepEqual(around('/f.bin'), ['e.mp3', undefined, 4, 4])
  // A file of another type stands between its neighbours and is counted.
  assert.deepEqual(around('/d.pdf'), ['c.mp4', 'e.mp3', 3, 5])
  assert.deepEqual(around('/missing'), [undefined, undefined, undefined, undefined])
})

const named = (name: string, size = 1) => ({ name, size })

test('a picture comes from a smaller picture first, from the file where that fails or full resolution is chosen', () => {
  assert.deepEqual(pictureSources(named('a.JPG'), false, true), ['big', 'file'])
  assert.deepEqual(pictureSources(named('a.jpg'), true, true), ['file'])
  assert.deepEqual(pictureSources(named('a.jpg'), false, false), ['file'])
  assert.deepEqual(pictureSources(named('moving.gif'), false, true), ['file'])
  assert.deepEqual(pictureSources(named('a.svg'), false, false), ['drawing'])
  assert.deepEqual(pictureSources(named('huge.svg', largestDrawing + 1), false, false), [])
  assert.deepEqual(pictureSources(named('scan.tiff'), true, true), ['big'])
  assert.deepEqual(pictureSources(named('scan.tiff'), true, false), [])
})

test('there is a choice of resolution only where the server makes smaller pictures', () => {
  assert.deepEqual(
    [hasFullSize(named('a.jpg'), true), hasFullSize(named('a.jpg'), false), hasFullSize(named('a.svg'), true)],
    [true, false, false],
  )
})

test('a text of more than 10 MiB is one by its name', () => {
  const large = (10 << 20) + 1
  for (const name of ['a.txt', 'a.MD', 'a.log', 'a.json']) assert.equal(isLargeText(named(name, large)), true, name)
  for (const name of ['a.bin', 'a.xlsx', 'a']) assert.equal(isLargeText(named(name, large)), false, name)
  assert.equal(isLargeText(named('a.txt', large - 1)), false)
})

test('what no browser shows is a card', () => {
  assert.equal(kindOf({ ...named('a.png'), type: 'image' }), 'picture')
  assert.equal(kindOf({ ...named('a.heic'), type: 'image' }), 'card')
  assert.equal(kindOf({ ...named('a.bin'), type: 'blob' }), 'card')
})

test('a swipe goes to the next file in reading direction; a short or steep movement is none', () => {
  assert.equal(swipedTo(-100, 10, 'ltr'), 'next')
  assert.equal(swipedTo(100, 10, 'ltr'), 'previous')
  assert.equal(swipedTo(-100, 10, 'rtl'), 'previous')
  assert.equal(swipedTo(100, 10, 'rtl'), 'next')
  assert.equal(swipedTo(-40, 0, 'ltr'), undefined)
  assert.equal(swipedTo(-100, 90, 'ltr'), undefined)
})
