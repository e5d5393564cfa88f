// The preview screen by fingers: swipe, pinch and drag, with real touches of the browser.
import { test } from 'node:test'
import type { CDPSession, Page } from '@playwright/test'
import { picture, writeMedia } from '../support/media.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

type Point = { x: number; y: number }

const site = startSite({
  view: { motion: true },
  async prepare({ root }) {
    const file = await picture({ width: 1600, height: 1200 }, 'jpeg')
    await writeMedia(root, { 'album/1.jpg': file, 'album/2.jpg': file, 'album/3.jpg': file })
  },
})

const phone = { width: 390, height: 844, touch: true }
const middle = { x: 195, y: 420 }
const moved = ({ x, y }: Point, by: number): Point => ({ x: x + by, y })

async function isShown(page: Page, name: string) {
  await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  await page
    .locator('img.picture')
    .and(page.getByAltText(name, { exact: true }))
    .waitFor()
  await page.locator('.picture-stage[aria-busy="false"]').waitFor()
}

async function start(name: string) {
  const { page, context, close } = await site.openListing(phone, { path: '/files/album/' })
  await page.goto(`${site.url}/files/album/${name}`)
  await isShown(page, name)
  return { page, fingers: new Fingers(await context.newCDPSession(page)), close }
}

/** Fingers on the screen. The browser answers each call when the page has handled the touch. */
class Fingers {
  readonly #client: CDPSession

  constructor(client: CDPSession) {
    this.#client = client
  }

  put(...points: Point[]) {
    return this.#send('touchStart', points)
  }

  async slide(from: readonly Point[], to: readonly Point[], steps = 8) {
    for (let step = 1; step <= steps; step++) {
      const at = (a: number, b: number) => a + ((b - a) * step) / steps
      await this.#send(
        'touchMove',
        from.map(({ x, y }, index) => ({ x: at(x, to[index]?.x ?? x), y: at(y, to[index]?.y ?? y) })),
      )
    }
  }

  lift() {
    return this.#send('touchEnd', [])
  }

  /** Puts fingers down, moves and lifts them. */
  async drag(from: readonly Point[], to: readonly Point[]) {
    await this.put(...from)
    await this.slide(from, to)
    await this.lift()
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) {
    const touchPoints = points.map((point, id) => ({ ...point, id }))
    await this.#client.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}

const percent = async (page: Page) => Number.parseInt((await page.locator('.zoom-value').textContent()) ?? '', 10)
const left = (page: Page) => page.locator('img.picture').evaluate((element) => Math.round(element.getBoundingClientRect().left))
async function endZoom(page: Page) {
  await page.keyboard.press('0')
  await until(async () => (await percent(page)) === 100, 'the zoom ends')
}
/** Two fingers around the middle. */
const apart = (distance: number) => [moved(middle, -distance / 2), moved(middle, distance / 2)]

test('a swipe shows the next picture, and one to the other side the previous', async () => {
  const { page, fingers, close } = await start('2.jpg')
  await fingers.drag([middle], [moved(middle, -120)])
  await isShown(page, '3.jpg')
  await fingers.drag([middle], [moved(middle, 120)])
  await isShown(page, '2.jpg')
  await fingers.drag([middle], [moved(middle, 120)])
  await isShown(page, '1.jpg')
  await close()
})

test('a picture follows the finger, and returns when the swipe is short or steep', async () => {
  const { page, fingers, close } = await start('2.jpg')
  const before = await left(page)
  await fingers.put(middle)
  await fingers.slide([middle], [moved(middle, -50)])
  await until(async () => (await left(page)) === before - 50, 'the picture follows the finger')
  await fingers.lift()
  await until(async () => (await left(page)) === before, 'the picture returns')
  await fingers.drag([middle], [{ x: middle.x - 80, y: middle.y + 150 }])
  // The neighbour of the picture that was shown before.
  await fingers.drag([middle], [moved(middle, 120)])
  await isShown(page, '1.jpg')
  await close()
})

test('two fingers zoom a picture in and out, and do not swipe', async () => {
  const { page, fingers, close } = await start('2.jpg')
  await fingers.drag(apart(100), apart(250))
  await until(async () => (await percent(page)) === 250, 'the fingers zoom in as far as they move apart')
  await fingers.drag(apart(250), apart(125))
  await until(async () => (await percent(page)) === 125, 'the fingers zoom out as far as they come together')
  await endZoom(page)
  await fingers.drag([middle], [moved(middle, 120)])
  // The neighbour of the picture that was zoomed.
  await isShown(page, '1.jpg')
  await close()
})

test('a drag of a zoomed picture moves it, and shows no other', async () => {
  const { page, fingers, close } = await start('2.jpg')
  await fingers.drag(apart(100), apart(300))
  await until(async () => (await percent(page)) === 300, 'the picture is zoomed')
  const before = await left(page)
  await fingers.drag([middle], [moved(middle, -120)])
  await until(async () => (await left(page)) === before - 120, 'the picture follows the finger')
  await fingers.drag([middle], [moved(middle, 120)])
  await until(async () => (await left(page)) === before, 'the picture follows the finger back')
  await isShown(page, '2.jpg')
  await endZoom(page)
  await fingers.drag([middle], [moved(middle, -120)])
  await isShown(page, '3.jpg')
  await close()
})
