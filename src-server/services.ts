// Builds every service once and connects them. The only file that knows all of them.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Principal } from './access/principal.ts'
import { accessParts, type FilesOf } from './access-services.ts'
import { startActivity } from './activity-services.ts'
import { ArchiveTickets } from './api/archive-tickets.ts'
import { type AuthenticateOptions, checkHost, checkPeer, makeAuthenticate, proxyUser } from './api/authenticate.ts'
import { Deadlines } from './api/deadlines.ts'
import type { Api } from './api/endpoint.ts'
import { Limits } from './api/limits.ts'
import { tokenOfCaller } from './api/tokens-of.ts'
import { type AppParts, createApp, registerRoutes } from './app.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { Ends } from './base/ends.ts'
import type { Operation } from './base/operation.ts'
import { type ProductLinks, productLinks } from './base/product-links.ts'
import { endpoints } from './contract/endpoints.ts'
import { waitsForDisk } from './disk/device-calls.ts'
import type { Disk } from './disk/disk.ts'
import { localDisk } from './disk/local-disk.ts'
import { type HandleStrategy, systemStrategy } from './disk/path-handle.ts'
import { ProtectedPaths } from './disk/protected-paths.ts'
import { removeStaleTemporaries } from './disk/remove-stale-temporaries.ts'
import { type DiskSystem, diskSystem } from './disk/system.ts'
import { beginInstallation } from './disk/temporary-names.ts'
import { FolderWatches } from './disk/watch.ts'
import { Events } from './events/events.ts'
import type { DeedSink } from './files/deeds.ts'
import { HomeFolders } from './files/home-folders.ts'
import { principalOf } from './files/principal-of.ts'
import { UserFiles } from './files/user-files.ts'
import { type HistoryOptions, openHistory } from './history-services.ts'
import { checkImportedRoot } from './imported-root.ts'
import { openJobs } from './job-services.ts'
import { hookReport, runHooks } from './listeners/hooks.ts'
import { LiveFolders } from './live/live-folders.ts'
import type { Options } from './options/options.ts'
import type { Assets } from './pages/assets.ts'
import { Branding } from './pages/branding.ts'
import { reportBrandingFolder } from './pages/branding-folder.ts'
import { pageConfigFor } from './pages/page-config.ts'
import { PreviewCache } from './previews/preview-cache.ts'
import { Previews } from './previews/previews.ts'
import { openRequests } from './request-services.ts'
import { buildShares } from './share-services.ts'
import { identitiesOn } from './shares/object-identities.ts'
import { type HookSettings, Hooks } from './shell/hooks.ts'
import { commandSlots } from './shell/own-commands.ts'
import { chooseSandbox, type ServerPaths } from './shell/sandbox.ts'
import { ClockFile } from './state/clock-file.ts'
import { logFilesOf } from './state/log.ts'
import { State } from './state/state.ts'
import { TemporaryJournal } from './state/temporary-journal.ts'
import { type BuiltTrash, buildTrash } from './trash-services.ts'
import { openUploads } from './upload-services.ts'
import { AccessRevocation } from './users/access-revocation.ts'
import { Accounts } from './users/accounts.ts'
import { Attempts, type Pause } from './users/attempts.ts'
import { Captcha } from './users/captcha.ts'
import { CaptchaPasses } from './users/captcha-passes.ts'
import { Passwords } from './users/passwords.ts'
import { reportRules } from './users/report-rules.ts'
import { Sessions } from './users/sessions.ts'
import { SignIn } from './users/sign-in.ts'
import { SignUp } from './users/sign-up.ts'
import { Tokens } from './users/tokens.ts'
import { UnnamedProxies } from './users/unnamed-proxies.ts'
import type { Homes } from './users/users.ts'

/** What the services are built from. Tests replace the clock, the passwords and the limits. */
export type ServiceOptions = Readonly<{
  options: Options
  assets: Assets
  /** Files and folders of the program itself, which are protected paths: the executable, or the project's folder. */
  program: { files: readonly string[]; folders: readonly string[] }
  tls?: { cert: Buffer; key: Buffer } | undefined
  clock?: Clock
  passwords?: Passwords
  pause?: Pause
  limits?: Limits
  previews?: Previews
  watches?: FolderWatches
  strategy?: HandleStrategy
  /** The calls that change files. */
  system?: DiskSystem
  /** The commands of events, read at each event. */
  hookSettings?: () => HookSettings
  /** The devices of paths of the served root, for jobs. */
  jobDevices?: (paths: readonly string[]) => string[]
  /** How much is kept of what people did. */
  history?: HistoryOptions
  /** The addresses about the product. */
  links?: ProductLinks
}>

/** The server's services. */
export type Services = Readonly<{
  app: FastifyInstance
  /** What the calls are registered with. Tests register more calls with it until the instance is ready. */
  api: Api
  state: State
  accounts: Accounts
  sessions: Sessions
  signIn: SignIn
  passwords: Passwords
  events: Events
  disks: DiskProvider
  /** Closes the state, and what is held open of it. */
  close(): Promise<void>
  /** Ends what a kill has interrupted in the trash, and removes what is due there from now on. */
  startTrash(): Promise<void>
  /** Removes temporary files of uploads that broke off more than a day ago. @returns how many were removed */
  removeStaleTemporaries(signal: AbortSignal): Promise<number>
}>

/** Builds all services. @throws StartupError when the state file cannot be used */
export async function buildServices({
  options,
  assets,
  program,
  tls,
  clock: systemTime = systemClock,
  passwords: given,
  limits = new Limits({}, waitsForDisk),
  pause,
  previews: decoding,
  watches = new FolderWatches(),
  strategy = systemStrategy,
  system = diskSystem,
  hookSettings,
  jobDevices,
  history: historyOptions = {},
  links = productLinks,
}: ServiceOptions): Promise<Services> {
  const proxies = new UnnamedProxies()
  const app = createApp(options, tls, systemTime, proxies)
  const state = await State.open({ file: options.database, clock: systemTime, log: app.log })
  try {
    await checkImportedRoot(state, options)
  } catch (error) {
    await state.close()
    throw error
  }
  const clockFile = new ClockFile({
    stateFile: options.database,
    clock: systemTime,
    report: (error) => app.log.error({ err: error }, 'what is known of the clock could not be kept'),
  })
  const { clock } = clockFile
  beginInstallation(state.instance)
  await reportRules(state, app.log)
  reportBrandingFolder((await state.settings()).branding.files, options.root, app.log)
  const passwords =
    given ?? new Passwords({ report: (reason) => app.log.warn(reason), bcryptCost: () => state.highestBcryptCost() })
  const events = new Events((error, event) => app.log.error({ err: error, event }, 'a listener failed'))
  const accounts = new Accounts({ state, passwords, clock })
  const sessions = new Sessions({ state, clock, lifetime: options.tokenLifetime })
  const tokens = new Tokens({ keys: () => state.keys, clock })
  const report = (error: unknown) => app.log.debug({ err: error }, 'the use of a session could not be noted')
  const newAttempts = () => new Attempts({ clock, pause, proxies })
  const signIn = new SignIn({ state, sessions, passwords, tokens, attempts: newAttempts(), clock, events, report })
  const previews = decoding ?? previewsFor(options, app)
  const serverPaths = serverPathsOf(options, program)
  const protectedPaths = ProtectedPaths.of(serverPaths)
  const journal = new TemporaryJournal(options.database)
  const disks = diskProvider(options, { protectedPaths, journal, watches, strategy, system })
  const revocation = new AccessRevocation({ state, clock, ends: new Ends(clock) })
  // Before the uploads are read each may be one.
  let isUpload = (_id: string) => true
  const trash = buildTrash({ options, state, events, diskFor: disks.for, clock, log: app.log })
  const { history, close: closeHistory } = await openHistory({ ...historyOptions, options, state, clock, log: app.log })
  const filesOf = filesFor({ events, disks, previews, trash, deeds: history })
  const attempts = newAttempts()
  const shared = await buildShares({
    options,
    state,
    events,
    disks,
    previews,
    clock,
    passwords,
    attempts,
    proxies,
    revocation,
    log: app.log,
  })
  const hooks = new Hooks({ settings: hookSettings ?? (() => storedHooks(state)), clock, report: hookReport(app.log) })
  const { hostPathOf } = identitiesOn(disks.for)
  const scopeOf = async (id: number) => (await state.userById(id))?.scope
  if (options.enableExec) runHooks({ events, hooks, root: options.root, scopeOf, hostPathOf })
  const closeActivity = startActivity({ options, state, events, clock, log: app.log })
  const live = new LiveFolders({ clock, events })
  const { jobs, close: closeJobs } = await openJobs({
    options,
    state,
    filesOf,
    revocation,
    limits,
    history,
    clock,
    log: app.log,
    jobDevices,
  })
  const { uploads, close: closeUploads } = await openUploads({
    ...{ options, state, events, diskFor: disks.for, clock, trash },
    log: app.log,
  })
  const requests = await openRequests({
    ...{ options, state, events, diskFor: disks.for, previews, revocation, clock, log: app.log },
    ...{ passwords: shared.passwords, linkPasswords: shared.linkPasswords, proxies, trash },
    takesNames: async () => options.enableExec && (await hooks.takeName(['before_upload', 'after_upload'])),
  })
  const { requestsOf, publicRequests } = requests
  isUpload = (id) => uploads.has(id) || requests.uploads.has(id)
  await jobs.goOn()
  app.addHook('preClose', async () => {
    for (const all of [uploads, requests.uploads]) all.stopReceiving()
  })
  const { sharesOf, publicShares } = shared
  const parts = {
    options,
    state,
    accounts,
    sessions,
    signIn,
    events,
    filesOf,
    sharesOf,
    requestsOf,
    publicShares,
    publicRequests,
    live,
    jobs,
    history,
    uploads,
  }
  const folders = new HomeFolders({ events, diskFor: disks.for })
  const homes: Homes = { make: (path, asker) => folders.make(path, asker) }
  const signUp = new SignUp({
    ...{ accounts, state, hasPasswords: options.authMethod === 'json' },
    ...{ homes: folders, events, clock, proxies },
  })
  const sandbox = await chooseSandbox(options, serverPaths, { clock, log: app.log })
  const commands = { isOn: options.enableExec, sandbox, clock, events, slots: commandSlots() }
  const access = accessParts({ ...parts, proxies, homes, signUp, commands, revocation, clock })
  const deadlines = new Deadlines(clock)
  const api = {
    contract: endpoints,
    authenticate: makeAuthenticate(access),
    limits,
    deadlines,
    tickets: new ArchiveTickets(clock),
  }
  const branding = new Branding({
    settings: async () => (await state.settings()).branding,
    clock,
    report: (text) => app.log.warn(text),
  })
  registerRoutes(app, options, appParts({ options, state, api, access, assets, branding, clock, links }))
  const removeStale = (signal: AbortSignal) =>
    removeStaleTemporaries({ journal, protectedPaths, isUpload: (id) => isUpload(id), now: clock.now(), signal })
  const close = async () => {
    previews.close()
    await closeJobs()
    await closeUploads()
    await requests.close()
    await closeHistory()
    await trash.close()
    await shared.close()
    await hooks.close()
    await closeActivity()
    await journal.close()
    await clockFile.close()
    await state.close()
    await protectedPaths.close()
  }
  const startTrash = () => {
    clockFile.start()
    return trash.start((items) => shared.trashedLinks.reconcile(items))
  }
  return {
    ...{ app, api, state, accounts, sessions, signIn, passwords, events, disks, close },
    ...{ removeStaleTemporaries: removeStale, startTrash },
  }
}

function previewsFor({ cacheDir, thumbnails, resizePreview }: Options, { log }: FastifyInstance) {
  const off = [...(thumbnails ? [] : (['thumb'] as const)), ...(resizePreview ? [] : (['big'] as const))]
  const cache = new PreviewCache({
    folder: join(cacheDir, 'previews'),
    report: (error) => log.warn({ err: error }, 'previews cannot be kept'),
  })
  return new Previews({ cache, off, report: (error) => log.warn({ err: error }, 'pictures cannot be decoded on this machine') })
}

function captchaOf({ host, secret }: NonNullable<Options['captcha']>, clock: Clock) {
  return { check: new Captcha({ host, secret: secret() }), passes: new CaptchaPasses(clock) }
}

/** The commands of events that are stored. */
async function storedHooks(state: State): Promise<HookSettings> {
  const { shell, commands, hookLimits } = await state.settings()
  return { shell, commands, limits: { milliseconds: hookLimits.seconds * 1000, bytes: hookLimits.kilobytes * 1024 } }
}

function serverPathsOf(options: Options, program: ServiceOptions['program']): ServerPaths {
  const { tls, configFile, adminPasswordFile, socket, auditLog, logTo, captcha, oldDatabases = [] } = options
  const logs = [auditLog, logTo === 'stdout' ? undefined : logTo].flatMap((log) => (log === undefined ? [] : logFilesOf(log)))
  const secrets = [tls?.key, adminPasswordFile, captcha?.secretFile]
  const named = [...logs, ...oldDatabases, ...secrets, tls?.cert, configFile, socket].filter((file) => file !== undefined)
  return {
    // Not among the files: those are known by inode, and each save of the state frees an inode that an upload may get.
    stateFile: options.database,
    files: [...program.files, ...named],
    folders: [...program.folders, options.cacheDir],
  }
}

/** Opens the disk of a principal: the files below its scope and base. */
export type DiskProvider = Readonly<{ for(principal: Principal, operation: Operation): Disk }>

type DiskParts = {
  protectedPaths: ProtectedPaths
  journal: TemporaryJournal
  watches: FolderWatches
  strategy: HandleStrategy
  system: DiskSystem
}

/** Each operation opens its own disk, so that a scope that was moved or replaced is noticed at once. */
function diskProvider({ root, linksInto }: Options, shared: DiskParts): DiskProvider {
  return {
    for: ({ scope, base }, operation) =>
      operation.own(localDisk({ root, scope, base, linksInto, signal: operation.signal, ...shared })),
  }
}

type FileParts = { events: Events; disks: DiskProvider; previews: Previews; trash: BuiltTrash; deeds: DeedSink }

function filesFor({ events, disks, previews, trash, deeds }: FileParts): FilesOf {
  return ({ me: { user, settings }, operation, source, grant }) => {
    const principal = principalOf(user, settings.rules)
    const disk = disks.for(principal, operation)
    const { sorting, locale } = user
    return new UserFiles({
      principal,
      disk,
      events,
      operation,
      source,
      previews,
      sorting,
      locale,
      trash: trash.accessOf(settings),
      deeds,
      archiveLimits: settings.archives,
      ...(grant && { revalidate: grant.check }),
    })
  }
}

type AppServices = {
  options: Options
  state: State
  api: Api
  access: AuthenticateOptions
  assets: Assets
  branding: Branding
  clock: Clock
  links: ProductLinks
}

function appParts({ options, state, api, access, assets, branding, clock, links }: AppServices): AppParts {
  return {
    api,
    sessionRules: {
      authMethod: options.authMethod,
      proxyUser: (request) => proxyUser(access, request),
      checkPeer: (request) => checkPeer(access, request),
      caller: (request) => access.signIn.identify(tokenOfCaller(request, access.cookieNames)),
      cookieName: `auth-${state.instance}`,
      cookiePath: options.baseURL || '/',
      ...(options.captcha && { captcha: captchaOf(options.captcha, clock) }),
    },
    assets,
    branding,
    pageConfig: async (path) => {
      const settings = await state.settings()
      return pageConfigFor({ options, settings, signup: await access.signUp.isOpen(settings), assets, path, links })
    },
    checkHost: (request) => checkHost(access, request),
  }
}
