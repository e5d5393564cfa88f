// The dialog about public links, the page about all of them, and the pages that visitors see.
import { asPrincipal } from '../../support/as-principal.ts'
import { pick } from '../../support/listing.ts'
import { share } from '../../support/share-calls.ts'
import { administratorPassword } from '../../support/start-executable.ts'
import { dialog, type State, type Target, tool } from './steps.ts'

async function makeLink({ url }: Target, path: string, body: object = {}): Promise<string> {
  const login = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body: login })
  const { hash } = await share(asPrincipal(url, await answer.text()), path, body)
  return hash
}

async function openShare({ page }: Target, name: string) {
  await pick(page, name)
  await tool(page, 'Share').click()
  await page.getByRole('dialog').locator('.link-form, .links').waitFor()
}

async function openAll(target: Target) {
  await makeLink(target, '/b.txt', { expires: 2, unit: 'days', password: 'rhubarb pie', note: 'for the committee' })
  await target.page.goto(`${target.url}/settings/shares`)
  await target.page.getByRole('row').nth(1).waitFor()
}

export const shares: Record<string, State> = {
  'share, a number that is none': async (target) => {
    const { page } = target
    await openShare(target, 'a.txt')
    await page.getByRole('radio', { name: 'After' }).check()
    await page.getByRole('textbox', { name: 'Expires after' }).fill('soon')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('alert').waitFor()
  },
  'share, the link is ready': async (target) => {
    await openShare(target, 'paper.pdf')
    await target.page.getByRole('textbox', { name: 'Password' }).fill('rhubarb pie')
    await target.page.getByRole('button', { name: 'Create link' }).click()
    await dialog(target.page, 'The link is ready')
  },
  'share, with code and question': async (target) => {
    const { page } = target
    await makeLink(target, '/box.zip')
    await makeLink(target, '/box.zip', { expires: 1, unit: 'days', password: 'rhubarb pie' })
    await openShare(target, 'box.zip')
    await page.getByRole('button', { name: 'Show QR code' }).first().click()
    await page.getByRole('button', { name: 'Delete link' }).last().click()
    await page.getByText('Delete this link?').waitFor()
  },
  'all links, selected and with a code': async (target) => {
    const { page } = target
    await openAll(target)
    await page.getByRole('checkbox').nth(1).check()
    await page
      .getByRole('button', { name: /^Show QR code/ })
      .first()
      .click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
  },
  'all links, none found': async (target) => {
    await openAll(target)
    await target.page.getByRole('searchbox').fill('greenhouse')
    await target.page.getByRole('heading', { name: 'No link matches' }).waitFor()
  },
  'all links, a question': async (target) => {
    await openAll(target)
    await target.page
      .getByRole('button', { name: /^Delete link/ })
      .first()
      .click()
    await dialog(target.page, /^Delete the link/)
  },
}

/** What visitors see, who have not signed in. */
export const visits: Record<string, State> = {
  'link of a folder': async (target) => {
    await visit(target, await makeLink(target, '/Drawings', { expires: 2, unit: 'days' }))
    await target.page.getByRole('searchbox').fill('roof')
    await target.page.getByText('1 result').waitFor()
  },
  'link of a file': async (target) => visit(target, await makeLink(target, '/audio.mp3', { expires: 2, unit: 'days' })),
  'locked link': async (target) => {
    const { page } = target
    await visit(target, await makeLink(target, '/box.zip', { password: 'rhubarb pie', expires: 2, unit: 'days' }))
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').waitFor()
  },
  'link that leads nowhere': (target) => visit(target, 'x'.repeat(22)),
}

async function visit({ page, url }: Target, hash: string) {
  await page.goto(`${url}/share/${hash}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
