// The preview screen, for each kind of file.
import { everywhere, onDesk } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const folder = '/files/Family/Album/'

async function open(stage: Stage, name: string): Promise<void> {
  await stage.go(folder + encodeURIComponent(name))
  await stage.page.locator('.viewer').waitFor()
  await stage.rest()
}

async function showPicture(stage: Stage, name = 'Evening at the estuary.jpg'): Promise<void> {
  await open(stage, name)
  await stage.page.locator('.picture-stage[aria-busy="false"]').waitFor()
}

async function showQuickLook(stage: Stage): Promise<void> {
  await stage.folder('Family/Album')
  await stage.entry('Evening at the estuary.jpg').focus()
  await stage.press('Space')
  await stage.page.locator('.quick .picture-stage[aria-busy="false"]').waitFor()
}

const showCard = (name: string) => async (stage: Stage) => {
  await open(stage, name)
  await stage.page.locator('.viewer-card').waitFor()
}

export const preview: State[] = statesOf('preview', [
  ['picture', everywhere, (stage) => showPicture(stage)],
  [
    'zoomed',
    ['light'],
    async (stage) => {
      await showPicture(stage)
      await stage.press('+', '+', '+', '+')
    },
  ],
  [
    'menu',
    ['light', 'phone'],
    async (stage) => {
      await showPicture(stage)
      await stage.button('More').click()
      await stage.page.getByRole('menu').waitFor()
    },
  ],
  [
    'video',
    everywhere,
    async (stage) => {
      await open(stage, 'Swallows.webm')
      await stage.page.getByText(/160 × 90/).waitFor()
    },
  ],
  [
    'audio',
    everywhere,
    async (stage) => {
      await open(stage, 'Dawn chorus.wav')
      await stage.page.getByText(/0:20/).first().waitFor()
    },
  ],
  [
    'pdf',
    everywhere,
    async (stage) => {
      await open(stage, 'Programme.pdf')
      await stage.page.locator('.paper-text > span').first().waitFor()
    },
  ],
  ['quick-look', everywhere, showQuickLook],
  ['none', everywhere, showCard('scan-cloud.e57')],
  ['broken', onDesk, showCard('torn.png')],
])
