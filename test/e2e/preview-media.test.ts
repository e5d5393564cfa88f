// Videos and audio files in the preview: keys, subtitles, position, queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry } from '../support/listing.ts'
import { pdf, picture, tone, writeMedia } from '../support/media.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { webm } from '../support/webm.ts'

const subRip = '1\n00:00:00,000 --> 00:00:50,000\nHello from the file\n'

const site = startSite({
  async prepare({ root }) {
    await writeMedia(root, {
      'films/a.png': await picture(),
      'films/film.webm': await webm(60),
      'films/film.en.srt': subRip,
      'films/subs/film.de.ass': `[Events]\nFormat: Start, End, Text\nDialogue: 0:00:00.00,0:00:50.00,Hallo aus dem Ordner`,
      'films/other.webm': await webm(20),
      'films/torn.webm': 'this is no video',
      'papers/plan.pdf': pdf('The first page', 'The second page'),
      'papers/torn.pdf': 'this is no document',
      'music/1.wav': tone(60),
      'music/2.png': await picture(),
      'music/3.wav': tone(2),
    })
  },
})

const player = (page: Page) => page.locator('video, audio')
type Field = 'currentTime' | 'paused' | 'muted' | 'volume' | 'playbackRate' | 'duration'
const value = (page: Page, field: Field) => player(page).evaluate((element, name) => (element as HTMLMediaElement)[name], field)
const becomes = (page: Page, field: Field, holds: (value: number | boolean) => boolean, what: string) =>
  until(async () => holds(await value(page, field)), what)

/** Waits until the line below the name says this. */
const factsAre = (page: Page, facts: RegExp) => page.locator('.viewer-title p').filter({ hasText: facts }).waitFor()

async function openFile(page: Page, folder: string, name: string) {
  await page.goto(`${site.url}/files/${folder}/${name}`)
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await player(page).waitFor()
  await becomes(page, 'duration', (seconds) => Number(seconds) > 0, 'the file is known')
}

test('a video plays with the keys of every player', async () => {
  const { page, close } = await site.openListing()
  await openFile(page, 'films', 'film.webm')
  await factsAre(page, /160 × 90 · 1:00 · /)
  assert.equal(await value(page, 'paused'), true)
  await page.keyboard.press('k')
  await becomes(page, 'paused', (paused) => paused === false, 'k plays')
  await page.keyboard.press('Space')
  await becomes(page, 'paused', (paused) => paused === true, 'Space pauses')
  await page.keyboard.press('5')
  await becomes(page, 'currentTime', (seconds) => seconds === 30, '5 goes to the half')
  const steps = [
    ['l', 40],
    ['j', 30],
  ] as const
  for (const [key, seconds] of steps) {
    await page.keyboard.press(key)
    await becomes(page, 'currentTime', (now) => now === seconds, `${key} goes to ${seconds}`)
  }
  await page.keyboard.press('ArrowRight')
  await becomes(page, 'currentTime', (now) => Number(now) > 30, 'the arrow is the player’s')
  await page.getByRole('heading', { name: 'film.webm' }).waitFor()
  await page.keyboard.press('m')
  await becomes(page, 'muted', (muted) => muted === true, 'm mutes')
  await page.keyboard.press('>')
  await becomes(page, 'playbackRate', (rate) => rate === 1.25, '> is faster')
  await page.keyboard.press('<')
  await page.keyboard.press('<')
  await becomes(page, 'playbackRate', (rate) => rate === 0.75, '< is slower')
  await page.keyboard.press('f')
  await until(() => page.evaluate(() => document.fullscreenElement?.localName === 'video'), 'f fills the screen')
  await page.keyboard.press('f')
  await until(() => page.evaluate(() => document.fullscreenElement === null), 'f leaves the full screen')
  await close()
})

test('the arrows go to the neighbours of a video until its player has the focus', async () => {
  const { page, close } = await site.openListing()
  await openFile(page, 'films', 'film.webm')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'other.webm' }).waitFor()
  await close()
})

test('the subtitles beside a video and in subs/ are chosen from a menu and shown', async () => {
  const { page, close } = await site.openListing()
  await openFile(page, 'films', 'film.webm')
  const cue = (name: string) =>
    page.locator('video').evaluate((video, label) => {
      const track = [...(video as HTMLVideoElement).textTracks].find((one) => one.label === label)
      return track?.mode === 'showing' ? (track.activeCues?.[0] as VTTCue | undefined)?.text : undefined
    }, name)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Subtitles' }).click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  await page.keyboard.press('k')
  await choose('English')
  await until(async () => (await cue('English')) === 'Hello from the file', 'the English subtitles are shown')
  await choose('German')
  await until(async () => (await cue('German')) === 'Hallo aus dem Ordner', 'the German subtitles are shown')
  assert.equal(await cue('English'), undefined)
  await choose('No subtitles')
  await until(async () => (await cue('German')) === undefined, 'no subtitles are shown')
  await close()
})

test('a video goes on where it was left, and one that was seen to its end begins again', async () => {
  const { page, close } = await site.openListing()
  await openFile(page, 'films', 'film.webm')
  await page.keyboard.press('5')
  await becomes(page, 'currentTime', (seconds) => seconds === 30, 'half')
  await page.keyboard.press('Escape')
  await entry(page, 'film.webm').waitFor()
  await openFile(page, 'films', 'film.webm')
  await becomes(page, 'currentTime', (seconds) => seconds === 30, 'it goes on')
  assert.doesNotMatch(await page.evaluate(() => localStorage.getItem('holdall:positions') ?? ''), /film/)
  await page.keyboard.press('9')
  await page.keyboard.press('l')
  await page.keyboard.press('Escape')
  await entry(page, 'film.webm').waitFor()
  await openFile(page, 'films', 'film.webm')
  assert.equal(await value(page, 'currentTime'), 0)
  await close()
})

test('at the end of an audio file the next one of the folder plays', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/music/' })
  await entry(page, '1.wav').dblclick()
  await page.getByText('Next: ').waitFor()
  await becomes(page, 'paused', (paused) => paused === false, 'the first file plays')
  await becomes(page, 'duration', (seconds) => Number(seconds) > 0, 'its length is known')
  // Before its last moment, so that it ends by itself.
  await player(page).evaluate((element) => {
    const media = element as HTMLMediaElement
    media.currentTime = media.duration - 0.2
  })
  await page.getByRole('heading', { name: '3.wav', level: 1 }).waitFor()
  // It has played then, without a step of the person.
  await until(() => player(page).evaluate((element) => (element as HTMLMediaElement).ended), 'the last file ends')
  await page.getByRole('heading', { name: '3.wav', level: 1 }).waitFor()
  await close()
})

test('a video that plays no longer loads or plays after it was left', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/films/' })
  await entry(page, 'film.webm').dblclick()
  await becomes(page, 'paused', (paused) => paused === false, 'a video that is opened from the listing plays')
  const left = await player(page).elementHandle()
  await page.keyboard.press('PageDown')
  await page.getByRole('heading', { name: 'other.webm' }).waitFor()
  await becomes(page, 'paused', (paused) => paused === false, 'the next one plays on')
  assert.deepEqual(await left?.evaluate((element) => [(element as HTMLMediaElement).paused, element.getAttribute('src')]), [
    true,
    null,
  ])
  await close()
})

test('a file that no player understands says so', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/files/films/torn.webm`)
  await page.getByText('This file cannot be shown').waitFor()
  await close()
})

test('a PDF document is drawn by the page where the browser has no viewer: its text can be read, and it is zoomed', async () => {
  const { page, close } = await site.openListing({ width: 390, height: 844 })
  await page.goto(`${site.url}/files/papers/plan.pdf`)
  const first = page.getByRole('region', { name: 'Page 1' })
  await first.locator('canvas').waitFor()
  await first.getByText('The first page').waitFor()
  await factsAre(page, /2 pages/)
  const isDrawn = () =>
    first.locator('canvas').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement
      const pixels = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? []
      return pixels.some((value, index) => index % 4 === 0 && value < 60)
    })
  await until(isDrawn, 'the words are drawn')
  const width = async () => (await first.boundingBox())?.width ?? 0
  const before = await width()
  await page.keyboard.press('+')
  await until(async () => Math.abs((await width()) - before * 1.25) < 2, 'the page is larger')
  await close()
})

test('a PDF document is shown by the viewer of the browser where it has one', async () => {
  const { page, close } = await site.openListing()
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true }))
  // The headless browser has none: a page stands for it.
  const asked = (url: URL) => url.pathname.endsWith('/plan.pdf') && url.searchParams.get('inline') === 'true'
  await page.route(asked, (route) => route.fulfill({ body: 'the viewer', contentType: 'text/html' }))
  await page.goto(`${site.url}/files/papers/plan.pdf`)
  await page.frameLocator('iframe[title="plan.pdf"]').getByText('the viewer').waitFor()
  await page.unrouteAll()
  await close()
})

test('a file that is no PDF document says so', async () => {
  const { page, close } = await site.openListing()
  await page.goto(`${site.url}/files/papers/torn.pdf`)
  await page.getByText('This file cannot be shown').waitFor()
  await close()
})
