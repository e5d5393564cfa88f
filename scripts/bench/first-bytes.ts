// What a browser that knows nothing yet has received when the listing shows, as it came over the wire: headers and
// compressed bodies, by Chromium's own count (Network.loadingFinished, encodedDataLength).
import type { Browser, CDPSession } from '@playwright/test'
import { newPerson, signInTo } from './person.ts'

const kinds: Readonly<Record<string, string>> = { Document: 'page', Script: 'scripts', Stylesheet: 'styles', Fetch: 'answers' }

type Received = { kind: string; bytes: number }

/** KB (1000 bytes): the whole, and by kind. From the first request of the login page until the rows of the folder stand. */
export async function firstBytes(browser: Browser, url: string, folder: string): Promise<Record<string, number>> {
  const person = await newPerson(browser)
  const { page } = person
  const received = await follow(await page.context().newCDPSession(page))
  await signInTo(page, url, folder)
  await page.locator('[data-entry]').first().waitFor()
  const before = [...received]
  await page.waitForLoadState('networkidle')
  const later = received.slice(before.length)
  await person.close()
  return { all: sum(before), ...byKind(before), 'later, while nothing else is done': sum(later) }
}

async function follow(client: CDPSession): Promise<readonly Received[]> {
  const types = new Map<string, string>()
  const received: Received[] = []
  client.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    received.push({ kind: kinds[types.get(requestId) ?? ''] ?? 'other', bytes: encodedDataLength })
  })
  await client.send('Network.enable')
  return received
}

function byKind(received: readonly Received[]): Record<string, number> {
  const names = [...new Set(Object.values(kinds)), 'other']
  return Object.fromEntries(names.map((name) => [name, sum(received.filter(({ kind }) => kind === name))]))
}

const sum = (received: readonly Received[]): number => received.reduce((total, { bytes }) => total + bytes, 0) / 1000
