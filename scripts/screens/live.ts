// What a page shows when its folder changes on the server.
import { callResource, openFollowed } from '../../test/support/followed.ts'
import { almostAll } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

/** Each state has a folder of its own, because several may be shown at the same time. */
async function openNew(stage: Stage, folder: string): Promise<void> {
  await stage.folder('Empty box')
  await callResource(stage.page, 'POST', `${folder}/`)
  await openFollowed(stage.page, stage.address(`/files/${folder}/`))
  await stage.page.locator('.empty').waitFor()
  await stage.rest()
}

const heading = (stage: Stage, text: string) => stage.page.getByRole('heading', { name: stage.say(text) }).waitFor()

export const live: State[] = statesOf('live', [
  [
    'gone',
    almostAll,
    async (stage) => {
      await openNew(stage, 'Choir/Concert')
      await callResource(stage.page, 'DELETE', 'Choir/Concert')
      await heading(stage, 'This folder is no longer here.')
    },
  ],
  [
    'moved',
    almostAll,
    async (stage) => {
      await openNew(stage, 'Choir/Rehearsal')
      await callResource(stage.page, 'PATCH', 'Choir/Rehearsal?action=rename&destination=/Choir/Spring concert')
      await heading(stage, 'This folder was moved.')
      await callResource(stage.page, 'DELETE', 'Choir/Spring concert')
    },
  ],
])
