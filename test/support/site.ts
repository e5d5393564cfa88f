// A browser and the packaged server for one file of browser tests, which share them.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach } from 'node:test'
import type { Browser } from '@playwright/test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import type { Permission } from '../../src-server/contract/permissions.ts'
import { State } from '../../src-server/state/state.ts'
import { Accounts } from '../../src-server/users/accounts.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { addUser } from './add-user.ts'
import { type BrowserOptions, borrowBrowser } from './browser.ts'
import { putFiles } from './listing.ts'
import { type BrowserState, newPerson, type Person, type View } from './person.ts'
import { administratorPassword, makeWorkFolder, type Running, startExecutable, stateFile } from './start-executable.ts'
import { cheapCost } from './start-state.ts'

export type SiteOptions = BrowserOptions &
  Readonly<{
    /** The files below the root, in the form of `putFiles`. They are written again before each test. */
    files?: Readonly<Record<string, string>>
    /** A second user with the password of the administrator, and what this user may do. */
    user?: Readonly<{ username: string; may: readonly Permission[]; lockPassword?: boolean }>
    /** How windows are opened where a test does not say otherwise. */
    view?: View
    /** Flags of the server; `args` are those of the browser. */
    flags?: readonly string[]
    /** Called once, after browser and server have started. */
    prepare?(site: Site): Promise<unknown>
  }>

type ListingOptions = Readonly<{
  /** The address relative to the server's URL. */
  path?: string
  /** Called before the page is loaded. */
  prepare?(person: Person): Promise<unknown>
  /** Another browser than that of the site. */
  browser?: Browser
}>

/** What Node tells of a test that has ended; its types lack `passed`. */
type Ended = Readonly<{ name: string; passed: boolean }>

/** The view at the beginning of a test, whatever the test before has stored. */
const startingView = { viewMode: 'list', sorting: { by: 'name', asc: true } }

/** Starts browser and server before the tests of the calling file or suite, and closes them afterwards. */
export function startSite({ files, user, view, flags = [], prepare, ...options }: SiteOptions = {}): Site {
  const site = new Site(flags, view)
  // One hook, because several hooks of a file do not wait for each other.
  before(async () => {
    await site.start(options)
    if (user) await site.addUser(user)
    await prepare?.(site)
  })
  if (files) beforeEach(() => site.putFiles(files))
  afterEach((test) => site.tellPages(test as unknown as Ended))
  after(() => site.close())
  return site
}

/** The running browser and server. */
export class Site {
  #browser: Awaited<ReturnType<typeof borrowBrowser>> | undefined
  #server: Running | undefined
  #session: Promise<BrowserState> | undefined
  #people: Person[] = []
  readonly #flags: readonly string[]
  readonly #view: View

  constructor(flags: readonly string[] = [], view: View = {}) {
    this.#flags = flags
    this.#view = view
  }

  async start(options: BrowserOptions): Promise<void> {
    this.#browser = await borrowBrowser(options)
    const folder = await makeWorkFolder()
    await writeFile(stateFile(folder), await stateOfAdministrator(), { mode: 0o600 })
    this.#server = await startExecutable(this.#flags, {}, folder)
  }

  addUser(user: NonNullable<SiteOptions['user']>): Promise<void> {
    return addUser(this.url, user)
  }

  async close(): Promise<void> {
    await this.#browser?.release()
    await this.#server?.close()
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('the browser is started before the first test')
    return this.#browser.browser
  }

  get server(): Running {
    if (!this.#server) throw new Error('the server is started before the first test')
    return this.#server
  }

  get url(): string {
    return this.server.url
  }

  /** The folder that the server serves. */
  get root(): string {
    return this.server.root
  }

  /** The working folder of the server, where a test may write files beside the root. */
  get folder(): string {
    return this.server.folder
  }

  putFiles(files: Readonly<Record<string, string>>): Promise<void> {
    return putFiles(this.root, files)
  }

  /** Opens a window in which nobody is signed in. */
  newPerson(view: View = {}): Promise<Person> {
    return this.#open(view)
  }

  async #open(view: View, session?: BrowserState, browser = this.browser): Promise<Person> {
    const person = await newPerson(browser, { ...this.#view, ...view }, session)
    this.#people.push(person)
    return person
  }

  /** Prints what the open windows show when a test has failed: where it ran, nobody can look at them afterwards. */
  async tellPages({ passed, name }: Ended): Promise<void> {
    const people = this.#people.splice(0)
    if (passed) return
    for (const { page } of people) {
      const shown = await page.locator('body').ariaSnapshot({ timeout: 2000 }).catch(String)
      const told = `'${name}' failed at ${page.url()}, which shows:\n${shown}\n`
      console.log(told)
      // Printed once more at the end of the run.
      if (process.env.HOLDALL_TEST_PAGES) await appendFile(process.env.HOLDALL_TEST_PAGES, told)
    }
  }

  /**
   * Opens a window of the administrator, signed in without the form, with a folder as a list sorted by name.
   * These windows share one session: a test that ends its session must sign in with the form.
   */
  async openListing(view: View = {}, { path = '/files/', prepare, browser }: ListingOptions = {}): Promise<Person> {
    this.#session ??= signInByCall(this.url)
    const session = await this.#session
    await this.#resetAccount(session)
    const person = await this.#open(view, session, browser)
    await prepare?.(person)
    await person.page.goto(this.url + path)
    await person.page.locator('.row[data-entry], .empty').first().waitFor()
    return person
  }

  async #resetAccount(session: BrowserState): Promise<void> {
    const token = session.origins[0]?.localStorage[0]?.value ?? ''
    const body = JSON.stringify({ what: 'user', which: Object.keys(startingView), data: { id: 1, ...startingView } })
    const headers = { 'X-Auth': token, 'Content-Type': 'application/json' }
    const answer = await fetch(`${this.url}/api/users/1`, { method: 'PUT', headers, body })
    if (!answer.ok) throw new Error(`the account was not reset: ${answer.status} ${await answer.text()}`)
  }
}

/** The state that the servers of this process begin with. */
let newState: Promise<string> | undefined

/**
 * Makes the administrator with a password that is quick to verify: hashing it as the server does takes a fifth of a second, at each
 * start and each sign-in.
 */
function stateOfAdministrator(): Promise<string> {
  newState ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdall-state-'))
    const file = stateFile(folder)
    const state = await State.open({ file, clock: systemClock })
    const accounts = new Accounts({ state, passwords: new Passwords({ cost: cheapCost }), clock: systemClock })
    await accounts.create({ username: 'admin', password: administratorPassword, perm: allPermissions })
    await state.close()
    const text = await readFile(file, 'utf8')
    await rm(folder, { recursive: true, maxRetries: 20 })
    return text
  })()
  return newState
}

/** Signs in without a browser. @returns the cookie, and the token in the page's storage */
async function signInByCall(url: string): Promise<BrowserState> {
  const credentials = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body: credentials })
  const token = await answer.text()
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? []
  const { hostname: domain, origin } = new URL(url)
  return {
    cookies: [{ name, value, domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' }],
    origins: [{ origin, localStorage: [{ name: 'holdall:token', value: token }] }],
  }
}
