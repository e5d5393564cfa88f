import { configurePage } from '../../support/configure-page.ts'
import { picture, writeMedia } from '../../support/media.ts'
import { until } from '../../support/until.ts'
import { webm } from '../../support/webm.ts'
import { button, type Scene } from './scene.ts'

/** Opens pictures, goes through them, zooms and moves one, and closes it. */
export async function preview({ page, url, root, keyboard, does }: Scene) {
  const [small, large] = [await picture(), await picture({ width: 2000, height: 1500 })]
  await writeMedia(root, { 'Pictures/1.png': small, 'Pictures/2.png': large, 'Pictures/3.png': small })
  await configurePage(page, { ResizePreview: true })
  await page.route('**/api/preview/big/**', (route) => route.fulfill({ body: large, contentType: 'image/png' }))
  await page.goto(`${url}/files/Pictures/`)
  await keyboard.goTo('1.png')
  await keyboard.press('Enter')
  const isShown = (name: string) => page.locator('img.picture').and(page.getByAltText(name)).waitFor()
  await isShown('1.png')
  for (const [key, name, id] of [
    ['ArrowRight', '2.png', 'viewer.right'],
    ['ArrowLeft', '1.png', 'viewer.left'],
    ['Enter', '2.png', 'viewer.next'],
    ['PageUp', '1.png', 'viewer.previous'],
    ['PageDown', '2.png', 'viewer.pageDown'],
  ] as const) {
    await keyboard.press(key)
    await isShown(name)
    does(id)
  }
  await page.locator('.picture-stage[aria-busy="false"]').waitFor()
  const zoomIs = (wanted: string) =>
    until(async () => (await page.locator('.zoom-value').textContent()) === wanted, `the zoom is ${wanted}`)
  await keyboard.press('+', '=', '+', '+')
  await zoomIs('200%')
  await keyboard.press('-')
  await zoomIs('175%')
  const place = () => page.locator('img.picture').evaluate((element) => (element as HTMLElement).style.transform)
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
    const before = await place()
    await keyboard.press(`Shift+${key}`)
    await until(async () => (await place()) !== before, `${key} moves the picture`)
    does(`picture.pan.${key}`)
  }
  await keyboard.press('0')
  await zoomIs('100%')
  does('picture.zoomIn', 'picture.zoomOut', 'picture.zoomReset')
  await keyboard.enter(button(page, 'Full resolution'))
  await button(page, 'Full resolution').and(page.locator('[aria-pressed="true"]')).waitFor()
  does('viewer.fullSize')
  await keyboard.press('Escape')
  await keyboard.isAt('2.png')
  does('viewer.close')
  await page.unrouteAll()
  await play({ page, url, root, keyboard, does })
  await page.goto(`${url}/files/`)
  await keyboard.isThere('Pictures')
}

/** Looks at the entries of a folder over its list. */
export async function quickLook({ page, url, keyboard, does }: Scene) {
  await page.goto(`${url}/files/Pictures/`)
  const title = (name: string) => page.getByRole('dialog').getByRole('heading', { name, exact: true }).waitFor()
  await keyboard.goTo('1.png')
  await keyboard.press('Space')
  await title('1.png')
  does('quickLook.open')
  for (const [key, name, id] of [
    ['ArrowDown', '2.png', 'quickLook.next'],
    ['ArrowUp', '1.png', 'quickLook.previous'],
    ['ArrowRight', '2.png', 'quickLook.right'],
    ['ArrowLeft', '1.png', 'quickLook.left'],
    ['ArrowDown', '2.png', 'quickLook.next'],
  ] as const) {
    await keyboard.press(key)
    await title(name)
    await keyboard.areSelected(name)
    does(id)
  }
  await keyboard.press('Space')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.isAt('2.png')
  does('quickLook.close')
  await keyboard.press('Space')
  await title('2.png')
  await keyboard.press('Enter')
  await page.locator('.viewer').getByRole('heading', { name: '2.png', level: 1 }).waitFor()
  does('quickLook.show')
  await keyboard.press('Escape')
  await keyboard.isAt('2.png')
  await page.goto(`${url}/files/`)
  await keyboard.isThere('Pictures')
}

/** Plays a video with the keys of every player. */
async function play({ page, url, root, keyboard, does }: Pick<Scene, 'page' | 'url' | 'root' | 'keyboard' | 'does'>) {
  await writeMedia(root, { 'Pictures/film.webm': await webm(60) })
  await page.goto(`${url}/files/Pictures/film.webm`)
  const video = page.locator('video')
  type State = { time: number; paused: boolean; muted: boolean; volume: number; speed: number; isFull: boolean }
  const state = () =>
    video.evaluate((element): State => {
      const { currentTime: time, paused, muted, volume, playbackRate: speed } = element as HTMLVideoElement
      return { time, paused, muted, volume, speed, isFull: document.fullscreenElement !== null }
    })
  await until(() => video.evaluate((element) => (element as HTMLVideoElement).duration > 0), 'the video is known')
  const presses: [key: string, id: string, holds: (now: State) => boolean][] = [
    ['Space', 'player.space', ({ paused }) => !paused],
    ['Space', 'player.space', ({ paused }) => paused],
    ['k', 'player.toggle', ({ paused }) => !paused],
    ['k', 'player.toggle', ({ paused }) => paused],
    ...Array.from({ length: 10 }, (_, digit): (typeof presses)[number] => [
      `${digit}`,
      `player.part.${digit}`,
      ({ time }) => time === digit * 6,
    ]),
    ['j', 'player.back', ({ time }) => time === 44],
    ['l', 'player.ahead', ({ time }) => time === 54],
    ['m', 'player.mute', ({ muted }) => muted],
    ['<', 'player.slower', ({ speed }) => speed === 0.75],
    ['>', 'player.faster', ({ speed }) => speed === 1],
    ['f', 'player.fullScreen', ({ isFull }) => isFull],
    ['f', 'player.fullScreen', ({ isFull }) => !isFull],
  ]
  for (const [key, id, holds] of presses) {
    await keyboard.press(key)
    await until(async () => holds(await state()), `${key} runs ${id}`)
    does(id)
  }
}
