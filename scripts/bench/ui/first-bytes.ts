// What a browser that knows nothing yet has received when the listing shows, as it came over the wire: headers and
// compressed bodies, by Chromium's own count (Network.loadingFinished, encodedDataLength).
import { setTimeout } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { newPerson, signInTo } from './person.ts'

const kinds: Readonly<Record<string, string>> = { Document: 'page', Script: 'scripts', Stylesheet: 'styles', Fetch: 'answers' }

type Received = { kind: string; bytes: number; at: number }

/** KB (1000 bytes): the whole, and by kind. From the first request of the login page until the rows of the folder stand. */
export async function firstBytes(browser: Browser, url: string, folder: string): Promise<Record<string, number>> {
  const person = await newPerson(browser)
  const { page } = person
  const received = await follow(await page.context().newCDPSession(page))
  await signInTo(page, url, folder, () => watch(page))
  const shown = await page.evaluate(() => (window as unknown as { benchShown: Promise<number> }).benchShown)
  // Whatever the page loads by itself when it rests.
  await setTimeout(2000)
  const before = received.filter(({ at }) => at <= shown)
  const later = received.filter(({ at }) => at > shown)
  await person.close()
  return { all: sum(before), ...byKind(before), 'later, while nothing else is done': sum(later) }
}

/** Notes when the first rows stand, in milliseconds since the epoch. */
function watch(page: Page): Promise<void> {
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

async function follow(client: CDPSession): Promise<readonly Received[]> {
  const types = new Map<string, string>()
  const received: Received[] = []
  // Chromium tells seconds of a clock of its own, and once for each request what they are since the epoch.
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
