// The sign-in, and what is shown where a folder cannot be.
import type { PageConfig } from '../../src-server/contract/page.ts'
import { configurePage } from '../../test/support/configure-page.ts'
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
  await stage.select(name)
  await stage.press('F2')
  await stage.answer('resources/**', 401, '401 Unauthorized')
  await stage.page.locator('.rename input, .dialog input').first().fill('Robin in the frost.png')
  await stage.press('Enter')
  await stage.page.getByRole('dialog', { name: stage.say('Sign in to continue') }).waitFor()
}

async function signInLater(stage: Stage) {
  await loseSession(stage)
  await stage.button('Later').click()
  await stage.page.locator('.empty').waitFor()
}

/** Stands for the script of a captcha's host, whose box has this size. */
const captcha = `window.grecaptcha = { ready: (work) => work(), render: (place, { theme }) => {
  const box = Object.assign(document.createElement('div'), { textContent: 'I am no robot' })
  box.style.cssText = 'box-sizing: border-box; inline-size: 304px; block-size: 78px; padding: 28px 12px; border: 1px solid; ' +
    (theme === 'dark' ? 'background: #222; color: #fff' : 'background: #f9f9f9; color: #000')
  place.append(box) } }`

async function openSignUp(stage: Stage, config: Partial<PageConfig> = {}) {
  await configure(stage, { Name: 'Mill House Studio', Signup: true, ...config })
  await stage.go('/login?signup')
  await stage.page.locator('[name=again]').waitFor()
  if (config.ReCaptcha) await stage.page.getByText('I am no robot').waitFor()
  await stage.page.locator('[name=username]').fill('jonas')
  await stage.page.locator('[name=password]').fill('long and winding')
  await stage.page.locator('[name=again]').fill('long and winding')
}

async function configure(stage: Stage, config: Partial<PageConfig>) {
  await configurePage(stage.page, { ReCaptchaKey: 'key', ReCaptchaHost: new URL(stage.address('')).origin, ...config })
  await stage.page.route('**/recaptcha/**', (route) => route.fulfill({ contentType: 'text/javascript', body: captcha }))
}

async function signUpInVain(stage: Stage) {
  await stage.answer('signup', 409, '409 Conflict')
  await openSignUp(stage)
  await stage.press('Enter')
  await stage.page.locator('[aria-invalid=true]').waitFor()
}

async function openCaptcha(stage: Stage) {
  await configure(stage, { ReCaptcha: true })
  await stage.go('/login')
  await stage.page.getByText('I am no robot').waitFor()
}

const login: State[] = statesOf('login', [
  ['sign-up', everywhere, async (stage) => openSignUp(stage, { ReCaptcha: true })],
  ['sign-up-taken', almostAll, signUpInVain],
  ['captcha', everywhere, openCaptcha],
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
