// What lies over the page comes after the first page: it is there when it is asked for, also over a slow network.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { newPerson, signIn } from '../support/person.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
  await writeFile(join(server.root, 'a.txt'), 'a')
})
after(async () => {
  await browser?.close()
  await server?.close()
})

/** Holds back every script that the page does not name itself. @returns a way to let them through or to break them */
async function holdBack(page: Page) {
  const named = await (await fetch(`${server.url}/login`)).text()
  const held: Route[] = []
  let answer: ((route: Route) => Promise<void>) | undefined
  await page.route('**/static/*.js', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (named.includes(pathname)) return route.continue()
    if (answer) return answer(route)
    held.push(route)
  })
  return async (how: (route: Route) => Promise<void>) => {
    answer = how
    await Promise.all(held.splice(0).map(how))
  }
}

test('the palette that is asked for before its code is here says so, can be called off, and comes', async () => {
  const person = await newPerson(browser)
  const { page } = person
  const answer = await holdBack(page)
  await signIn(page, server.url)
  await page.keyboard.press('Control+K')
  await page.getByRole('progressbar', { name: 'Loading' }).first().waitFor()
  await page.keyboard.press('Escape')
  await answer((route) => route.continue())
  await page.locator('.progress').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await person.close()
})

test('a menu that is opened before its code is here opens when it comes', async () => {
  const person = await newPerson(browser)
  const { page } = person
  const answer = await holdBack(page)
  await signIn(page, server.url)
  const button = page.getByRole('banner').getByRole('button', { name: 'New' })
  await button.click()
  await button.and(page.locator('[aria-expanded=true]')).waitFor()
  await answer((route) => route.continue())
  await page.getByRole('menuitem', { name: 'New folder' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await button.and(page.locator(':focus')).waitFor()
  await person.close()
})

test('what cannot be loaded is said, the page goes on, and the next time it is tried again', async () => {
  const person = await newPerson(browser)
  const { page } = person
  const answer = await holdBack(page)
  await signIn(page, server.url)
  await page.keyboard.press('F1')
  await answer((route) => route.fulfill({ status: 503 }))
  await page.getByText('This part of the page could not be loaded').waitFor()
  await answer((route) => route.continue())
  await page.keyboard.press('F1')
  await page.getByRole('dialog').waitFor()
  await person.close()
})
