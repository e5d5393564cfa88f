// Bytes that a browser with an empty cache has received when the listing is shown: headers and compressed bodies, as counted by
// Chromium (Network.loadingFinished, encodedDataLength).
import { setTimeout } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { newPerson, signInTo } from './person.ts'

const kinds: Readonly<Record<string, string>> = { Document: 'page', Script: 'scripts', Stylesheet: 'styles', Fetch: 'answers' }

type Received = { kind: string; bytes: number; at: number }

/** KB (1000 bytes), in total and by kind, from the first request of the login page until the folder's rows are shown. */
export async function firstBytes(browser: Browser, url: string, folder: string): Promise<Record<string, number>> {
  const person = await newPerson(browser)
  const { page } = person
  const received = await recordResponses(await page.context().newCDPSession(page))
  await signInTo(page, url, folder, () => observeFirstRow(page))
  const shown = await page.evaluate(() => (window as unknown as { benchShown: Promise<number> }).benchShown)
  // Time for what the page loads when it is idle.
  await setTimeout(2000)
  const before = received.filter(({ at }) => at <= shown)
  const later = received.filter(({ at }) => at > shown)
  await person.close()
  return { all: sum(before), ...byKind(before), 'later, while nothing else is done': sum(later) }
}

/** Records the time at which the first rows are shown, in milliseconds since the epoch. */
function observeFirstRow(page: Page): Promise<void> {
  return page.evaluate(() => {
    const benchShown = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('[data-entry]')) resolve(performance.timeOrigin + performance.now())
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    Object.assign(window, { benchShown })
  })
}

async function recordResponses(client: CDPSession): Promise<readonly Received[]> {
  const types = new Map<string, string>()
  const received: Received[] = []
  // Timestamps are seconds of a monotonic clock; this event has the time since the epoch as well.
  let epoch = 0
  client.on('Network.requestWillBeSent', ({ wallTime, timestamp }) => {
    epoch = wallTime - timestamp
  })
  client.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const kind = kinds[types.get(requestId) ?? ''] ?? 'other'
    received.push({ kind, bytes: encodedDataLength, at: (epoch + timestamp) * 1000 })
  })
  await client.send('Network.enable')
  return received
}

function byKind(received: readonly Received[]): Record<string, number> {
  const names = [...new Set(Object.values(kinds)), 'other']
  return Object.fromEntries(names.map((name) => [name, sum(received.filter(({ kind }) => kind === name))]))
}

const sum = (received: readonly Received[]): number => received.reduce((total, { bytes }) => total + bytes, 0) / 1000
