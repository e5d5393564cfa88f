// The panel in which a person runs commands: real programs in a real terminal.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { noPermissions } from '../../src-server/access/permissions.ts'
import { isRunning } from '../support/is-running.ts'
import { goInto, middleOf } from '../support/listing.ts'
import { signIn } from '../support/person.ts'
import { byScale } from '../support/scale.ts'
import {
  allowCommands,
  changeUser,
  line,
  openShell,
  output,
  panel,
  runCommand,
  startCommand,
  terminalShows,
  written,
} from '../support/shell-panel.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const programs = ['echo', 'cat', 'head', 'ls', 'sh', 'seq', 'pwd', 'printf']
/** Of output: far more than the lines that are kept. */
const megabytes = byScale({ usual: 10, long: 50 })
const site = startSite({
  files: { 'a.txt': 'a', 'Letters/<b>one.txt': 'x', 'Letters/two.txt': 'y' },
  user: { username: 'ann', may: ['create', 'execute'] },
  flags: ['--enable-exec', '--exec-unconfined'],
  prepare: ({ url }) => allowCommands(url, programs),
})

/** The process id that a program wrote into a file of the root. */
async function processOf(name: string): Promise<number> {
  const file = join(site.root, name)
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), `${name} holds a process id`)
  return Number(readFileSync(file, 'utf8'))
}

test('Shell: a command runs in the shown folder, its output is text, and the line is ready for the next', async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  await panel(page)
    .getByText(/^You may run: .echo., .cat., .head/)
    .waitFor()
  await runCommand(page, 'ls')
  await goInto(page, 'Letters')
  await panel(page).getByText('/Letters', { exact: true }).waitFor()
  await line(page).click()
  await runCommand(page, 'ls -1N')
  assert.deepEqual(await written(page), ['Letters  a.txt', '<b>one.txt\ntwo.txt'])
  assert.equal(await output(page).locator('b').count(), 0)
  await line(page).and(page.locator(':focus')).waitFor()
  await close()
})

test('the end is said: a code, a signal, a refusal', async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  await runCommand(page, `sh -c 'exit 3'`)
  await runCommand(page, `sh -c 'kill -9 $$'`)
  await runCommand(page, 'touch x')
  assert.deepEqual(
    (await output(page).locator('.shell-ending').allTextContents()).map((text) => text.replace(/[\u2068\u2069]/g, '')),
    ['Ended with code 3', 'Ended by signal KILL', 'Nothing was run: Command not allowed.'],
  )
  assert.equal(existsSync(join(site.root, 'x')), false)
  await close()
})

test('a program that runs gets the keys, and the line is disabled until it ends', async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  await startCommand(page, 'head -n1')
  assert.equal(await line(page).isDisabled(), true)
  await page.keyboard.type('hällo?')
  await page.keyboard.press('Enter')
  await line(page).and(page.locator(':focus:enabled')).waitFor()
  assert.deepEqual(await written(page), ['hällo?\nhällo?'])
  // A key that comes before the program has the terminal sends no signal.
  await startCommand(page, `sh -c 'echo ready; exec cat'`)
  await terminalShows(page, 'ready')
  await page.keyboard.press('Control+c')
  await output(page)
    .getByText(/Ended by signal .INT/)
    .waitFor()
  await line(page).and(page.locator(':focus:enabled')).waitFor()
  await close()
})

/** A program that writes its process id, and goes on until a signal ends it. */
const endless = `sh -c 'echo $$ > pid; exec cat'`

for (const [how, end] of [
  ['Stop', (page) => panel(page).getByRole('button', { name: 'Stop' }).click()],
  ['Close', (page) => panel(page).getByRole('button', { name: 'Close' }).click()],
  ['another screen', (page) => page.getByRole('button', { name: 'Settings' }).click()],
  ['leaving the page', (page) => page.goto('about:blank')],
  ['signing out', (page) => page.getByRole('button', { name: 'Sign out' }).click()],
] as const satisfies readonly (readonly [string, (page: Page) => Promise<unknown>])[]) {
  test(`${how} ends the program that runs`, async () => {
    rmSync(join(site.root, 'pid'), { force: true })
    const person = how === 'signing out' ? await site.newPerson() : await site.openListing()
    const { page, close } = person
    // Its session is not that of the other windows.
    if (how === 'signing out') await signIn(page, site.url)
    await openShell(page)
    await startCommand(page, endless)
    const id = await processOf('pid')
    assert.equal(isRunning(id), true)
    await end(page)
    await until(() => !isRunning(id), 'the program has ended')
    if (how === 'Stop')
      await output(page)
        .getByText(/Ended by signal .HUP/)
        .waitFor()
    else await panel(page).waitFor({ state: 'detached' })
    await close()
  })
}

test('history by the arrow keys, kept for the next visit, without lines that begin with a space', async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  for (const text of ['echo one', 'echo two', ' echo secret', 'echo two']) await runCommand(page, text)
  await page.reload()
  await page.locator('.row[data-entry]').first().waitFor()
  await openShell(page)
  await page.keyboard.type('draft')
  const shown: string[] = []
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key)
    shown.push(await line(page).inputValue())
  }
  assert.deepEqual(shown, ['echo two', 'echo one', 'echo one', 'echo two', 'draft'])
  await close()
})

test('clear and Ctrl+L empty the output; exit, Escape and Close close the panel and give the focus back', async () => {
  const { page, close } = await site.openListing()
  const more = page.getByRole('banner').getByRole('button', { name: 'More' })
  await openShell(page)
  for (const clear of [
    () => runClear(page),
    () => page.keyboard.press('Control+l'),
    () => panel(page).getByRole('button', { name: 'Clear' }).click(),
  ]) {
    await line(page).focus()
    await runCommand(page, 'echo word')
    await clear()
    await output(page).locator('pre').waitFor({ state: 'detached' })
  }
  for (const leave of [
    () => page.keyboard.type('exit\n'),
    () => page.keyboard.press('Escape'),
    () => panel(page).getByRole('button', { name: 'Close' }).click(),
  ]) {
    await line(page).focus()
    await leave()
    await panel(page).waitFor({ state: 'detached' })
    await more.and(page.locator(':focus')).waitFor()
    await openShell(page)
  }
  await close()
})

async function runClear(page: Page): Promise<void> {
  await line(page).fill('clear')
  await page.keyboard.press('Enter')
}

test('a command that is no longer allowed ends, and the page says why', async () => {
  const { page, close } = await site.newPerson()
  await signIn(page, site.url, 'ann')
  await changeUser(site.url, 2, { commands: ['cat'] })
  await openShell(page)
  await startCommand(page, 'cat')
  await changeUser(site.url, 2, { commands: ['echo'] })
  await output(page).getByText('The server stopped the command, because your permissions or your session have changed.').waitFor()
  await close()
})

test('the panel closes when the right is withdrawn, and is not offered without it', async () => {
  const { page, close } = await site.newPerson()
  await signIn(page, site.url, 'ann')
  await openShell(page)
  await changeUser(site.url, 2, { perm: { ...noPermissions, create: true } })
  await panel(page).waitFor({ state: 'detached' })
  await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Help' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Shell' }).count(), 0)
  await close()
})

test('output cannot leave the terminal: marks of HTML, escape sequences in names, and links stay text', async () => {
  await writeFile(join(site.root, 'b\u001b[2J\u001b]8;;x:y\u0007<img src=x onerror=alert(1)>'), '')
  const { page, close } = await site.openListing()
  await openShell(page)
  await runCommand(page, `sh -c 'printf "%s\\n" b*'`)
  const [text = ''] = await written(page)
  assert.match(text, /<img src=x onerror=alert\(1\)>/)
  assert.equal(await panel(page).locator('img, a').count(), 0)
  await startCommand(page, `sh -c 'printf "\\033]8;;https://example.org\\007press me\\033]8;;\\007\\n"; cat'`)
  await terminalShows(page, 'press me')
  page.on('popup', () => assert.fail('a link of a program was opened'))
  page.on('dialog', () => assert.fail('a link of a program asks'))
  // What shows the links is above their text.
  const { x, y } = await middleOf(page.locator('.xterm-rows').getByText('press me').first())
  await page.mouse.move(x, y)
  await page.mouse.click(x, y)
  await page.keyboard.press('Control+d')
  await line(page).and(page.locator(':focus:enabled')).waitFor()
  await close()
})

test(`${megabytes} MB of output and a very long line leave the page usable, and only the end is kept`, {
  timeout: 1_200_000,
}, async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  await line(page).fill(`sh -c 'head -c ${megabytes}000000 /dev/zero | tr "\\0" "x" | fold -w 99; echo; echo the end; cat'`)
  await page.keyboard.press('Enter')
  await page.locator('.shell-terminal textarea:focus').waitFor({ state: 'attached' })
  // The page answers while the output comes.
  await page.getByRole('button', { name: 'Tiles' }).click()
  await page.getByRole('button', { name: 'List', exact: true }).click()
  // A page with little of the processor draws it for long. The terminal holds no-break spaces.
  await page.locator('.shell-terminal .xterm-rows', { hasText: /the\send/ }).waitFor({ timeout: 240_000 })
  await page.locator('.shell-terminal textarea').press('Control+d')
  await line(page).and(page.locator(':enabled')).waitFor()
  const [text = ''] = await written(page)
  assert.match(text, /the end$/)
  assert.ok(text.split('\n').length <= 5000)
  await panel(page).getByText('Only the last 5,000 lines are kept.').waitFor()
  await line(page).focus()
  await runClear(page)
  await output(page).locator('pre').waitFor({ state: 'detached' })
  await close()
})

test('the height follows the pointer and the arrow keys, the listing gets the rest, and it is kept', async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  const grip = panel(page).getByRole('separator', { name: 'Height of the shell' })
  const value = () => grip.getAttribute('aria-valuenow')
  assert.equal(await value(), '40')
  await grip.focus()
  await page.keyboard.press('ArrowUp')
  await until(async () => (await value()) === '45', 'the panel is higher')
  const main = await page.locator('.main').boundingBox()
  const box = await grip.boundingBox()
  assert.ok(main && box)
  await page.mouse.move(box.x + 200, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 200, main.y + main.height * 0.7)
  await page.mouse.up()
  await until(async () => (await value()) === '30', 'the panel has the height that the pointer gave')
  const [pane, height] = await Promise.all([page.locator('.pane').boundingBox(), panel(page).boundingBox()])
  assert.ok(pane && height && pane.y + pane.height <= height.y + 1)
  await page.reload()
  await page.locator('.row[data-entry]').first().waitFor()
  await openShell(page)
  assert.equal(await value(), '30')
  await close()
})

test('with the keyboard alone: F6 goes to the line, to the terminal, and out of it', async () => {
  const { page, close } = await site.openListing()
  await openShell(page)
  await page.keyboard.press('F6')
  await page.locator('.shell :focus').waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+F6')
  await line(page).and(page.locator(':focus')).waitFor()
  await startCommand(page, 'cat')
  await page.keyboard.press('F6')
  await page.locator('.shell :focus').waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+F6')
  await page.locator('.shell-terminal textarea:focus').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+d')
  await line(page).and(page.locator(':focus:enabled')).waitFor()
  await close()
})

test('the line stays in view while output comes, also above the keyboard of a phone', async () => {
  const { page, close } = await site.openListing({ width: 390, height: 844, touch: true })
  await openShell(page)
  for (const text of ['seq 40', 'nothing', 'echo words', 'seq 3']) {
    await runCommand(page, text)
    await until(() => page.locator('.shell-hint').evaluate(isAboveEnd), `the line is in view after ${text}`)
  }
  // A keyboard on the screen changes only what is visible of the window.
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, 'height', { value: 500 })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  })
  await until(async () => {
    const box = await line(page).boundingBox()
    return box !== null && box.y + box.height <= 500
  }, 'the line is above the keyboard')
  assert.ok(((await panel(page).boundingBox())?.y ?? 0) > 56)
  await close()
})

/** Whether an element ends above the end of the part that scrolls. */
function isAboveEnd(element: Element): boolean {
  const area = element.closest('.shell-lines')?.getBoundingClientRect()
  return area !== undefined && element.getBoundingClientRect().bottom <= area.bottom
}
