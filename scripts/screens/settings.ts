// The settings of the server.
import { configurePage } from '../../test/support/configure-page.ts'
import { everywhere } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

async function openGlobal(stage: Stage) {
  await stage.go('/settings/global')
  await stage.page.locator('.fold').first().waitFor()
}

/** As when the folder of the branding does not exist. */
async function refuse(stage: Stage) {
  await openGlobal(stage)
  await stage.answer('settings', 400, '400 Bad Request (branding.files is not the absolute path of a folder)')
  await stage.page.locator('form').first().locator('[type=submit]').click()
  await stage.page.locator('[aria-invalid=true]').waitFor()
}

/** The commands of events, with one section open. */
async function openRunner(stage: Stage) {
  await configurePage(stage.page, { EnableExec: true })
  await openGlobal(stage)
  const form = stage.page.locator('form').last()
  await form.locator('summary').nth(5).click()
  await form.locator('textarea:visible').fill('logger "$USERNAME uploads $FILE"\nclamdscan --no-summary "$FILE"')
  await form.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await stage.rest()
}

export const settings: readonly State[] = statesOf('settings', [
  ['global', everywhere, openGlobal],
  ['global-runner', everywhere, openRunner],
  ['global-refused', ['light', 'phone'], refuse],
])
