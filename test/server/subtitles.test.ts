import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Path } from '../../src-server/base/paths.ts'
import type { ShownEntry } from '../../src-server/files/resource.ts'
import { subtitlesAmong } from '../../src-server/files/subtitles.ts'
import { countWork } from '../support/count-work.ts'

const entry = (name: string): ShownEntry => ({
  name,
  path: `/${name}` as Path,
  isDir: false,
  isSymlink: false,
  size: 0,
  modified: 0n,
  mode: 0,
})

test('subtitles belong to the video whose name they begin with', () => {
  const beside = [
    'video.mp4',
    'video.srt',
    'video.en.VTT',
    'video.en.forced.ass',
    'video2.srt',
    'videos.srt',
    'video.txt',
    '.srt',
  ].map(entry)
  const of = subtitlesAmong(beside)
  assert.deepEqual(of(entry('video.mp4')), ['/video.srt', '/video.en.VTT', '/video.en.forced.ass'])
  assert.deepEqual(
    [of(entry('video.en.mkv')), of(entry('video.txt')), of(entry('other.mp4'))],
    [['/video.en.VTT', '/video.en.forced.ass'], [], []],
  )
})

test('finding subtitles takes linear time for all names and numbers', () => {
  const many: Record<string, (index: number) => string> = {
    'names with many dots': (index) => `${'.a'.repeat(100)}.${index}.srt`,
    'names of nothing but dots': (index) => `${'.'.repeat(200)}${index}.srt`,
    'subtitles of one video': (index) => `video.${index}.srt`,
    'a subtitle and a video each': (index) => (index % 2 ? `video${index - 1}.srt` : `video${index}.mp4`),
  }
  const costOf = (nameAt: (index: number) => string, count: number) => {
    const beside = Array.from({ length: count }, (_, index) => entry(nameAt(index)))
    return countWork(() => {
      const of = subtitlesAmong(beside)
      for (const one of beside) of(one)
    })
  }
  const plain = costOf((index) => `video${String(index).padStart(200, '0')}.srt`, 4000)
  for (const [what, nameAt] of Object.entries(many)) {
    const [half, whole] = [costOf(nameAt, 2000), costOf(nameAt, 4000)]
    assert.ok(whole < 2.5 * half, `${what}: ${whole} steps for 4000, ${half} for 2000`)
    assert.ok(whole < 8 * plain, `${what}: ${whole} steps, plain names: ${plain}`)
  }
})

test('a listing names at most fifty subtitles of one video', () => {
  const beside = Array.from({ length: 2000 }, (_, index) => entry(`video.${index}.srt`))
  assert.equal(subtitlesAmong(beside)(entry('video.mp4')).length, 50)
})
