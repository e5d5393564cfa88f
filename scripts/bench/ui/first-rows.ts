// From the click on *Sign in* until the first rows of a folder are painted, and the parts of that time.
import type { Browser, Page } from '@playwright/test'
import { newPerson, signInTo } from './person.ts'

type Times = { clicked: number; rows: number; parsed: number; rendered: number; grid: number }

/** Milliseconds in a fresh browser: in total, and for each part in order. */
export async function firstRows(browser: Browser, url: string, folder: string): Promise<Record<string, number>> {
  const person = await newPerson(browser)
  const { page } = person
  await signInTo(page, url, folder, () => observeRows(page))
  const times = await page.evaluate(() => (window as unknown as { benchTimes: Promise<Times> }).benchTimes)
  const parts = partsOf(times, await calls(page))
  await person.close()
  return parts
}

function observeRows(page: Page): Promise<void> {
  return page.evaluate(() => {
    const times: Times = { clicked: 0, rows: 0, parsed: 0, rendered: 0, grid: 0 }
    addEventListener('click', ({ timeStamp }) => Object.assign(times, { clicked: timeStamp }), { capture: true, once: true })
    const { json } = Response.prototype
    Response.prototype.json = async function parse() {
      const value = await json.call(this)
      times.parsed = performance.now()
      return value
    }
    // A message that is posted in a frame's callback is handled after this frame has been painted.
    const painted = () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(undefined)
        })
      })
    const whenPresent = (selector: string) =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(selector)) return
          observer.disconnect()
          resolve(performance.now())
        })
        observer.observe(document, { childList: true, subtree: true })
      })
    const rows = whenPresent('[data-entry]').then(painted)
    const grid = whenPresent('[role=grid] [data-entry]').then(async (rendered) => ({ rendered, grid: await painted() }))
    const benchTimes = Promise.all([rows, grid]).then(([rows, grid]) => ({ ...times, rows, ...grid }))
    Object.assign(window, { benchTimes })
  })
}

type Called = { started: number; firstByte: number; lastByte: number }

function calls(page: Page): Promise<{ login: Called; listing: Called }> {
  return page.evaluate(() => {
    const called = (part: string): Called => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const found = entries.find(({ name }) => name.includes(part))
      if (!found) throw new Error(`${part} was not called`)
      return { started: found.startTime, firstByte: found.responseStart, lastByte: found.responseEnd }
    }
    return { login: called('/api/login'), listing: called('/api/resources/') }
  })
}

function partsOf(times: Times, { login, listing }: { login: Called; listing: Called }): Record<string, number> {
  return {
    'until they are painted': times.rows - times.clicked,
    '  the call that signs in': login.lastByte - times.clicked,
    '  from its answer to the call for the listing': listing.started - login.lastByte,
    '  its first byte': listing.firstByte - listing.started,
    '  first rows painted': times.rows - listing.firstByte,
    'until all of them are there': times.grid - times.clicked,
    '  from the first byte to the last': listing.lastByte - listing.firstByte,
    '  parsed': times.parsed - listing.lastByte,
    '  sorted and rendered': times.rendered - times.parsed,
    '  painted': times.grid - times.rendered,
  }
}
