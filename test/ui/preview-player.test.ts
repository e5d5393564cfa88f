import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, toSortedEntries } from '../../src-ui/core/entries.ts'
import { nextOfType } from '../../src-ui/core/file-view.ts'
import { followPosition, keepPosition, mostPositions, positionKey, positionOf } from '../../src-ui/preview/positions.ts'
import { tracksOf } from '../../src-ui/preview/subtitles.ts'
import { lengthOf } from '../../src-ui/preview/use-player.ts'
import { file, resourceOf } from './entries.ts'

test('the position in a file is kept, and forgotten at its beginning and end', () => {
  keepPosition('a', 50.4, 100)
  assert.equal(positionOf('a'), 50)
  keepPosition('a', 95, 100)
  assert.equal(positionOf('a'), 0)
  keepPosition('a', 50, 100)
  keepPosition('a', 3, 100)
  assert.equal(positionOf('a'), 0)
})

/** A video that has not loaded anything yet. */
class Video extends EventTarget {
  readonly localName = 'video'
  currentTime = 0
  duration = Number.NaN

  load(duration: number) {
    this.duration = duration
    this.dispatchEvent(new Event('loadedmetadata'))
  }
}

test('a video that is left before it has loaded keeps its position', () => {
  keepPosition('early', 50, 100)
  const ending = new AbortController()
  const video = new Video()
  const keep = followPosition(video, 'early', ending.signal)
  video.dispatchEvent(new Event('pause'))
  keep()
  assert.equal(positionOf('early'), 50)
  video.load(100)
  assert.equal(video.currentTime, 50)
  video.currentTime = 60
  keep()
  ending.abort()
  assert.equal(positionOf('early'), 60)
})

test('the positions of at most a hundred files are kept: the oldest is forgotten', () => {
  for (let index = 0; index <= mostPositions; index++) keepPosition(`file ${index}`, 50, 100)
  assert.deepEqual([positionOf('file 0'), positionOf('file 1'), positionOf(`file ${mostPositions}`)], [0, 50, 50])
})

test('the key of a file differs by person, path and size, and does not contain its name', () => {
  const keys = [
    positionKey(1, '/a.mp4', 5),
    positionKey(2, '/a.mp4', 5),
    positionKey(1, '/b.mp4', 5),
    positionKey(1, '/a.mp4', 6),
  ]
  assert.equal(new Set(keys).size, 4)
  assert.equal(positionKey(1, '/a.mp4', 5), keys[0])
  assert.ok(keys.every((key) => /^[0-9a-z]+\.[0-9a-z]+$/.test(key)))
})

test('subtitles are labelled by the language in their name, else by their name', () => {
  const labels = (...names: string[]) =>
    tracksOf(
      'film.mp4',
      names.map((name) => `/x/${name}`),
      'en',
    ).map(({ label }) => label)
  assert.deepEqual(labels('film.en.srt', 'film.pt-br.forced.vtt', 'film.srt', 'film.directors-cut-2.srt'), [
    'English',
    'Brazilian Portuguese · forced',
    'film.srt',
    'film.directors-cut-2.srt',
  ])
  assert.deepEqual(labels('film.de.srt', 'film.de.ass'), ['German · srt', 'German · ass'])
})

test('the queue goes on with the next file of the type', () => {
  const entries = entriesOf(
    resourceOf([
      file('1.mp3', { type: 'audio' }),
      file('2.png', { type: 'image' }),
      file('3.mp3', { type: 'audio', unreachable: 'broken' }),
      file('4.mp3', { type: 'audio' }),
    ]),
  )
  const sorted = toSortedEntries(entries)
  assert.equal(nextOfType(sorted, '/1.mp3', 'audio')?.name, '4.mp3')
  assert.equal(nextOfType(sorted, '/4.mp3', 'audio'), undefined)
})

test('a length is written in minutes and seconds, and in hours from one on', () => {
  assert.deepEqual([0, 9.6, 134, 3723].map(lengthOf), ['0:00', '0:10', '2:14', '1:02:03'])
})
