// The server as it is shipped, on any free port, with a real folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { allPermissions, noPermissions, type Permissions } from '../../src-server/access/permissions.ts'
import type { Rule } from '../../src-server/access/rules.ts'
import type { Api } from '../../src-server/api/endpoint.ts'
import type { Permission } from '../../src-server/contract/permissions.ts'
import type { Event, Events } from '../../src-server/events/events.ts'
import { listen, stop } from '../../src-server/listening.ts'
import type { Options } from '../../src-server/options/options.ts'
import { readTls } from '../../src-server/options/tls-files.ts'
import { Assets } from '../../src-server/pages/assets.ts'
import { buildServices, type ServiceOptions, type Services } from '../../src-server/services.ts'
import type { StoredUser } from '../../src-server/state/state-data.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { asPrincipal, type PrincipalCalls } from './as-principal.ts'
import { StoppedClock } from './clock.ts'
import { userIn } from './start-state.ts'
import { plant, type Tree } from './tree.ts'

export type TestUser = Partial<Pick<StoredUser, 'scope' | 'rules' | 'sorting' | 'locale'>> & {
  /** All except `admin` by default. */
  perm?: Permissions
}

export type AppSetup = Readonly<{
  files?: Tree
  /** Users by name; only `ann` by default. */
  users?: Readonly<Record<string, TestUser>>
  /** Global rules; those that are stored, unless given. */
  rules?: readonly Rule[]
  services?: Partial<ServiceOptions>
  /** Registers additional calls of a contract that the test extends. */
  calls?(app: FastifyInstance, api: Api): void
  options?: Partial<Options> | ((folders: { root: string; folder: string }) => Partial<Options>)
}>

export type TestApp = Readonly<{
  /** With the base URL, without a trailing slash. */
  url: string
  port: number
  /** The served folder. */
  root: string
  folder: string
  parts: Services
  clock: StoppedClock
  /** The events in the order of their end: `upload /a.txt`, `copy /a /b`, `signOut`; `failed upload /a.txt`. */
  events: string[]
  /** Calls with the token of a user, who is signed in without a password. */
  as(name: string): Promise<PrincipalCalls>
  /** Calls without a token. */
  principal(): PrincipalCalls
  close(): Promise<void>
  /** Ends something of later that uses the same folders, before they are removed. The last is ended first. */
  beforeClose(work: () => Promise<void>): void
}>

export const password = 'a long and easy password'

/** All permissions except the administrator's. */
export const usual: Permissions = { ...allPermissions, admin: false }

/** Only these permissions. */
export function only(...names: Permission[]): Permissions {
  return { ...noPermissions, ...Object.fromEntries(names.map((name) => [name, true])) }
}

export function deny(path: string): Rule {
  return { allow: false, path, regex: false, regexp: { raw: '' } }
}

export function allow(path: string): Rule {
  return { ...deny(path), allow: true }
}

/** A minimal interface, so that tests need no bundler. */
export const tinyAssets = new Assets({
  names: { 'main.js': 'main-1.js', 'main.css': 'main-1.css', 'locales/pt-br.json': 'locales/pt-br-1.json' },
  preload: [],
  files: {
    'main-1.js': { type: 'text/javascript; charset=utf-8', etag: '"1"', body: Buffer.from('console.log(1)') },
    'locales/pt-br-1.json': { type: 'application/json', etag: '"3"', body: Buffer.from('{"app":{"loading":"Carregando"}}') },
    'main-1.css': { type: 'text/css; charset=utf-8', etag: '"2"', body: Buffer.from('body{}') },
  },
})

/** Starts the server. It is closed at the end of the test. */
export async function startApp(t: { after(work: () => Promise<void>): void }, setup: AppSetup = {}): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-app-'))
  const root = join(folder, 'files')
  await mkdir(root)
  await plant(root, setup.files ?? {})
  const options = optionsIn(folder, root, setup.options)
  await mkdir(options.cacheDir, { recursive: true })
  const clock = new StoppedClock(Date.now())
  const passwords = new Passwords({ cost: { memory: 64, passes: 1, lanes: 1 } })
  const tls = readTls(options)
  const parts = await buildServices({
    options,
    assets: tinyAssets,
    program: { files: [], folders: [] },
    tls,
    clock,
    passwords,
    // The clock stands still.
    pause: async () => {},
    ...setup.services,
  })
  await people(parts, setup)
  parts.app.register(async (scope) => setup.calls?.(scope, parts.api))
  const events: string[] = []
  listenTo(parts.events, (text) => events.push(text))
  const address = await listen(parts.app, options)
  const url = address.replace(/\/$/, '')
  const later: (() => Promise<void>)[] = []
  const close = async () => {
    for (const work of later.splice(0).reverse()) await work()
    await stop(parts.app, 1000)
    await parts.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  t.after(close)
  const port = Number(new URL(options.socket ? 'http://unix:0' : address).port)
  const as = async (name: string) => asPrincipal(url, await tokenOf(parts, name))
  return {
    url,
    port,
    root,
    folder,
    parts,
    clock,
    events,
    as,
    principal: () => asPrincipal(url),
    close,
    beforeClose: (work) => void later.push(work),
  }
}

function optionsIn(folder: string, root: string, given: AppSetup['options'] = {}): Options {
  return {
    root,
    makesRoot: false,
    isRootNamed: true,
    address: '127.0.0.1',
    port: 0,
    baseURL: '',
    database: join(folder, 'state.json'),
    cacheDir: join(folder, 'cache'),
    linksInto: [],
    hosts: [],
    trustedProxies: [],
    logLevel: 'silent',
    logFormat: 'json',
    tokenLifetime: 7200,
    linkPasswordLength: 8,
    historyActs: 100,
    historyDays: 30,
    hsts: false,
    trash: true,
    thumbnails: true,
    resizePreview: true,
    enableExec: false,
    execUnconfined: false,
    authMethod: 'json',
    warnings: [],
    ...(typeof given === 'function' ? given({ root, folder }) : given),
  }
}

async function people({ accounts, state }: Services, { users = { ann: {} }, rules }: AppSetup) {
  for (const [username, user] of Object.entries(users)) {
    await accounts.create({ username, password, perm: user.perm ?? usual, ...user })
  }
  if (rules === undefined) return
  await state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules }
  })
}

async function tokenOf({ state, signIn }: Services, name: string) {
  if (!userIn(state, name)) throw new Error(`The test made no user ${name}`)
  return (await signIn.loginByProxy(name, { address: harness })).token
}

/** The source address of sign-ins that are not part of a test. */
const harness = 'test/support/start-app.ts'

function listenTo(events: Events, push: (text: string) => void) {
  const tell = (event: Event, text: string) => event.address !== harness && push(text)
  events.done((event) => void tell(event, described(event)))
  events.failed((event) => void tell(event, `failed ${described(event)}`))
}

function described(event: Event) {
  if (!('path' in event)) return event.kind
  const { kind, path, to } = event
  return to === undefined ? `${kind} ${path}` : `${kind} ${path} ${to}`
}
