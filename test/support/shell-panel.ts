// The panel for commands in a browser.
import type { Page } from '@playwright/test'
import { administratorPassword } from './start-executable.ts'
import { until } from './until.ts'

/** Lets a user run programs, as an administrator does in the form. @param id 1 is the administrator */
export async function allowCommands(url: string, commands: readonly string[], id = 1): Promise<void> {
  await changeUser(url, id, { commands })
}

/** Changes fields of a user as the administrator. */
export async function changeUser(url: string, id: number, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const signIn = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password: administratorPassword }),
  })
  const body = { what: 'user', which: Object.keys(fields), data: { id, ...fields }, current_password: administratorPassword }
  const answer = await fetch(`${url}/api/users/${id}`, {
    method: 'PUT',
    headers: { 'X-Auth': await signIn.text(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the user was not changed: ${answer.status} ${await answer.text()}`)
}

export const panel = (page: Page) => page.getByRole('region', { name: 'Shell' })
/** The line for the next command. */
export const line = (page: Page) => panel(page).getByRole('textbox', { name: 'Command', exact: true })
export const output = (page: Page) => panel(page).getByRole('group', { name: 'Output' })

/** Opens the panel with the menu, and waits until its line has the focus. */
export async function openShell(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Shell' }).click()
  await line(page).and(page.locator(':focus')).waitFor()
}

/** Runs a command, and waits until it has ended. */
export async function runCommand(page: Page, text: string): Promise<void> {
  const ended = await output(page).locator('.shell-command').count()
  await line(page).fill(text)
  await page.keyboard.press('Enter')
  await output(page).locator('.shell-command').nth(ended).waitFor()
  await line(page).and(page.locator(':enabled')).waitFor()
}

/** Starts a command that goes on, and waits until its terminal has the focus. */
export async function startCommand(page: Page, text: string): Promise<void> {
  await line(page).fill(text)
  await page.keyboard.press('Enter')
  // It is a field outside of what is shown.
  await page.locator('.shell-terminal textarea:focus').waitFor({ state: 'attached' })
}

/** Waits until the terminal of the running program shows a text. */
export async function terminalShows(page: Page, text: string): Promise<void> {
  const rows = page.locator('.shell-terminal .xterm-rows')
  // They hold no-break spaces.
  const shown = async () => ((await rows.textContent()) ?? '').replaceAll('\u00a0', ' ')
  await until(async () => (await shown()).includes(text), `the terminal shows ${text}`)
}

/** What the ended commands have written. */
export const written = (page: Page): Promise<string[]> => output(page).locator('pre').allTextContents()
