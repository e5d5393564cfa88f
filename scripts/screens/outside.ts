// The sign-in, and what is shown where a folder cannot be.
import { almostAll, everywhere } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

async function signInWrongly(stage: Stage) {
  await stage.go('/login')
  await stage.page.locator('[name=username]').fill('ann')
  await stage.page.locator('[name=password]').fill('not the password')
  await stage.page.keyboard.press('Enter')
}

/** As when a session was ended since the last visit. */
async function comeBackLate(stage: Stage) {
  await stage.answer('renew', 401, '401 Unauthorized')
  await stage.go('/files/Allotment/')
  await stage.page.locator('.notice').waitFor()
}

/** As when a session was ended elsewhere while a folder is shown. */
async function loseSession(stage: Stage) {
  await stage.folder('Allotment')
  await stage.answer('resources/**', 401, '401 Unauthorized')
  // Not by the pointer: a call of the page itself may have opened the dialog already.
  await stage.page.locator('.crumb').first().dispatchEvent('click')
  await stage.dialog()
}

/** The same while a name is typed: in its row, or in a prompt on a phone. */
async function loseSessionRenaming(stage: Stage) {
  const name = 'Robin on the fork handle.png'
  await stage.folder('Allotment')
  await stage.answer('resources/**', 401, '401 Unauthorized')
  await stage.select(name)
  await stage.press('F2')
  await stage.page.locator('.rename input, .dialog input').first().fill('Robin in the frost.png')
  await stage.press('Enter')
  await stage.page.getByRole('dialog', { name: stage.say('Sign in to go on') }).waitFor()
}

async function signInLater(stage: Stage) {
  await loseSession(stage)
  await stage.button('Later').click()
  await stage.page.locator('.empty').waitFor()
}

const login: State[] = statesOf('login', [
  ['plain', everywhere, (stage) => stage.go('/login')],
  [
    'wrong',
    almostAll,
    async (stage) => {
      await signInWrongly(stage)
      await stage.page.locator('.field-error').waitFor()
    },
  ],
  [
    'busy',
    ['light', 'dark', 'phone'],
    async (stage) => {
      await stage.keepWaiting('login')
      await signInWrongly(stage)
      await stage.page.locator('[aria-busy]').waitFor()
    },
  ],
])

const failing = (status: number, body: string) => async (stage: Stage) => {
  await stage.answer('resources/Letters/**', status, body)
  await stage.go('/files/Letters/2026/')
  await stage.page.locator('.empty').waitFor()
}

export const outside: State[] = [
  ...login.map((state) => ({ ...state, isSignedOut: true })),
  ...statesOf('login', [['expired', almostAll, comeBackLate]]),
  ...statesOf('error', [
    ['forbidden', almostAll, failing(403, '403 Forbidden')],
    ['missing', everywhere, failing(404, '404 Not Found')],
    ['failed', almostAll, failing(500, 'Something went wrong on the server.')],
    ['signed-out', almostAll, signInLater],
  ]),
  ...statesOf('prompt', [
    ['sign-in', everywhere, loseSession],
    ['sign-in-renaming', everywhere, loseSessionRenaming],
  ]),
  ...statesOf('listing', [
    [
      'loading',
      almostAll,
      async (stage) => {
        await stage.folder('')
        await stage.keepWaiting('resources/Allotment*')
        await stage.entry('Allotment')[stage.look.touch ? 'tap' : 'dblclick']()
        await stage.rest()
        await stage.page.locator('.skeleton').first().waitFor()
      },
    ],
  ]),
]
