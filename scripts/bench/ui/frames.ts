// The longest time between two frames, measured by requestAnimationFrame in the page.
import type { Page } from '@playwright/test'

export type Frames = { longest: number; count: number }

/** Milliseconds between frames during some work. */
export async function framesWhile(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(() => {
    const frames = { longest: 0, count: 0, running: true }
    Object.assign(window, { benchFrames: frames })
    return new Promise<void>((begun) => {
      let before = 0
      const next = (now: number) => {
        if (before > 0) {
          frames.longest = Math.max(frames.longest, now - before)
          frames.count += 1
        } else begun()
        before = now
        if (frames.running) requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })
  })
  await work()
  return page.evaluate(() => {
    const { benchFrames } = window as unknown as { benchFrames: Frames & { running: boolean } }
    benchFrames.running = false
    return { longest: benchFrames.longest, count: benchFrames.count }
  })
}
