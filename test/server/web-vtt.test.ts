// Subtitles as WebVTT: the call, and what it makes of each format and encoding.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import iconv from 'iconv-lite'
import { largestSubtitles } from '../../src-server/files/web-vtt.ts'
import { rawRequest } from '../support/raw-request.ts'
import { deny, only, startApp } from '../support/start-app.ts'

const subRip = `1
00:00:01,000 --> 00:00:02,500
<font color="red">Hello</font> <i>there</i>
{\\an8}5 < 6 & so --> on

2
00:01:00,5 --> 01:00:00,000
Second`

const alpha = `[Script Info]
Title: x
[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial
[Events]
Format: Layer, Start, End, Style, Text
Dialogue: 0,0:00:03.20,0:00:04.00,Default,{\\i1}Later{\\i0}, with a comma\\Nsecond\\hline
Dialogue: 0,0:00:01.00,0:00:02.00,Default,First
Dialogue: 0,0:00:01.00,0:00:02.00,Default,{\\p1}m 0 0 l 10 10{\\p0}
Comment: 0,0:00:00.00,0:00:09.00,Default,nobody sees this`

const russian = 'Привет, как дела? Сегодня хорошая погода, и мы идём гулять в парк.'
const inRussian = `1\n00:00:01,000 --> 00:00:02,000\n${russian}\n`

const app = await startApp(
  { after },
  {
    files: {
      'film.mp4': 'video',
      'film.srt': subRip,
      'film.ass': alpha,
      'film.SSA': alpha,
      'film.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nas it is',
      'bare.vtt': '00:01.000 --> 00:02.000\nwithout its first line',
      'marked.srt': `\ufeff${subRip.replaceAll('\n', '\r\n')}`,
      'wide.srt': iconv.encode(inRussian, 'utf-16le', { addBOM: true }),
      'cyrillic.srt': iconv.encode(inRussian, 'windows-1251'),
      'latin.srt': iconv.encode('1\n00:00:01,000 --> 00:00:02,000\nça déjà été fêté\n', 'latin1'),
      'huge.srt': Buffer.alloc(largestSubtitles + 1, 'a'),
      'braces.srt': `00:00:01,000 --> 00:00:02,000\n${'{\\\\a'.repeat(300_000)}`,
      'braces.ass': `[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,${'{<a'.repeat(500_000)}`,
      'commas.ass': `Format: ${','.repeat(100_000)}\nDialogue: ${','.repeat(500_000)}`,
      'spaces.srt': ' '.repeat(1_000_000),
      'film.txt': 'text',
      'folder.srt/x': '',
      'hidden.srt': subRip,
      'Subs/film.en.srt': subRip,
      'Subs/other.srt': subRip,
      'subs/film.de.ass': alpha,
      'subtitles/film.fr.vtt': 'WEBVTT',
      'subtitles/film.hidden.vtt': 'WEBVTT',
    },
    users: {
      ann: { rules: [deny('/hidden.srt'), deny('/subtitles/film.hidden.vtt')] },
      looker: { perm: only('modify') },
    },
  },
)
const ann = await app.as('ann')
const get = (path: string) => ann.ask('GET', `/api/subtitle/${path}`)
const textOf = async (path: string) => (await get(path)).text()

test('SubRip becomes WebVTT: bold, italic and underlined are kept, other markup is removed or escaped', async () => {
  const answer = await get('film.srt')
  assert.equal(answer.headers.get('content-type'), 'text/vtt; charset=utf-8')
  const expected = `WEBVTT

00:00:01.000 --> 00:00:02.500
Hello <i>there</i>
5 &lt; 6 &amp; so --&gt; on


00:01:00.500 --> 01:00:00.000
Second
`
  assert.equal(await answer.text(), expected)
  assert.equal(await textOf('marked.srt'), expected)
})

test('SubStation Alpha becomes WebVTT in order of time, without its styles, drawings and comments', async () => {
  const expected = `WEBVTT

00:00:01.000 --> 00:00:02.000
First


00:00:03.200 --> 00:00:04.000
Later, with a comma
second\u00a0line
`
  assert.equal(await textOf('film.ass'), expected)
  assert.equal(await textOf('film.SSA'), expected)
})

test('WebVTT is sent as it is, and gets its first line', async () => {
  assert.equal(await textOf('film.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nas it is')
  assert.equal(await textOf('bare.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nwithout its first line')
})

test('subtitles in other encodings than UTF-8 are readable', async () => {
  assert.ok((await textOf('wide.srt')).includes(russian))
  assert.ok((await textOf('cyrillic.srt')).includes(russian))
  assert.match(await textOf('latin.srt'), /ça déjà été fêté/)
})

test('no text takes more than linear time', async () => {
  for (const path of ['braces.srt', 'braces.ass', 'commas.ass', 'spaces.srt']) assert.equal((await get(path)).status, 200, path)
})

for (const [path, status] of [
  ['film.txt', 400],
  ['film.mp4', 400],
  ['folder.srt', 400],
  ['', 400],
  ['huge.srt', 413],
  ['missing.srt', 404],
  ['hidden.srt', 403],
] as const)
  test(`the subtitles of "${path}" are ${status}`, async () => {
    assert.equal((await get(path)).status, status)
  })

test('subtitles are content: they need the permission to download', async () => {
  const looker = await app.as('looker')
  assert.equal((await looker.ask('GET', '/api/subtitle/film.srt')).status, 403)
})

test('known subtitles are not sent again, and no script of them runs in the page', async () => {
  const { headers } = await get('film.srt')
  const again = await rawRequest({
    port: app.port,
    method: 'GET',
    address: '/api/subtitle/film.srt',
    headers: { 'X-Auth': ann.token ?? '', 'If-None-Match': headers.get('etag') ?? '' },
  })
  assert.equal(again.status, 304)
  assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'$/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('a video has the subtitles beside it and in subs/, without hidden ones', async () => {
  const { subtitles = [] } = (await (await ann.ask('GET', '/api/resources/film.mp4')).json()) as { subtitles?: string[] }
  assert.deepEqual(subtitles.toSorted(), [
    '/Subs/film.en.srt',
    '/film.SSA',
    '/film.ass',
    '/film.srt',
    '/film.vtt',
    '/subs/film.de.ass',
    '/subtitles/film.fr.vtt',
  ])
})
