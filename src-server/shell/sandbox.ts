// Runs the commands of people in bubblewrap: they see the system's folders and the files of their person, and nothing else.
import { constants } from 'node:fs'
import { access, lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { isWithin, parsePath } from '../base/paths.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { findProgram } from './find-program.ts'
import { runCommand } from './run-command.ts'

/** Files and folders of the server, which no command may reach. */
export type ServerPaths = Readonly<{ stateFile: string; files: readonly string[]; folders: readonly string[] }>

/** A program of the host. `folder` is where it runs, `scope` the folder that it may change. */
type Program = Readonly<{ program: string; args: readonly string[]; scope: string; folder: string }>

/** What is started in place of a program. */
type Started = Readonly<{ program: string; args: readonly string[]; env: Readonly<Record<string, string>> }>

/** How the commands of people run. Without `wrap` they have the rights of the server. */
export type Sandbox = Readonly<{
  /** Whether people who are no administrators may run commands. */
  isForAll: boolean
  /** What it is, for the log. */
  sentence: string
  /** @returns why the program may not run there, or what is started in place of it */
  wrap?(asked: Program): Promise<{ problem: string } | Started>
}>

/** Whether programs in the sandbox are root, whatever rights they have: what belongs to root is readable and writable to them. */
const isRoot = process.getuid?.() === 0

/**
 * What programs read in `/etc`. A server that is root shows no more of it: keys of certificates and password hashes of the system
 * belong to root.
 */
const settingsOfPrograms = [
  ...['alternatives', 'bash.bashrc', 'bash_completion.d', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'fonts'],
  ...['gai.conf', 'gitconfig', 'group', 'host.conf', 'hostname', 'hosts', 'ImageMagick-6', 'ImageMagick-7', 'inputrc'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'locale.alias', 'localtime', 'magic', 'mailcap', 'mime.types'],
  ...['nsswitch.conf', 'os-release', 'passwd', 'perl', 'pki/ca-trust', 'pki/tls/certs', 'profile', 'profile.d', 'protocols'],
  ...['python3', 'resolv.conf', 'services', 'shells', 'ssl/certs', 'ssl/openssl.cnf', 'terminfo', 'timezone', 'vim', 'xdg'],
].map((name) => `/etc/${name}`)

/** Folders with programs and what they need. What does not exist is left out. */
const systemFolders = ['/usr', '/etc', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']

/** Milliseconds and bytes that the probe at the start may take. */
const probeLimits = { milliseconds: 10_000, bytes: 10_000 }

type Around = Readonly<{ clock: Clock; log: Readonly<Record<'info' | 'warn', (sentence: string) => void>> }>

/** What the commands of people run in, which the log says. Nothing is looked for where no command runs. */
export async function chooseSandbox(
  { enableExec, execUnconfined, authMethod }: Readonly<{ enableExec: boolean; execUnconfined: boolean; authMethod: string }>,
  server: ServerPaths,
  { clock, log }: Around,
): Promise<Sandbox> {
  if (!enableExec) return unconfined
  // A program that reaches the server from this machine would be taken for the proxy, which names whom it likes.
  const hasNetwork = authMethod !== 'proxy'
  const chosen = execUnconfined ? unconfined : await findSandbox({ server, hasNetwork }, clock)
  log[chosen.wrap && !isRoot ? 'info' : 'warn'](chosen.sentence)
  return chosen
}

/** Commands with the rights of the server, as `--exec-unconfined` asks for. */
const unconfined: Sandbox = {
  isForAll: true,
  sentence: 'Commands that people run have the rights of the server: they can read its state and its keys (--exec-unconfined).',
}

/**
 * Finds bubblewrap, and runs a program in it.
 * @returns a sandbox for administrators alone, which confines nothing, where it does not run
 */
export async function findSandbox(
  around: Readonly<{ server: ServerPaths; hasNetwork: boolean }>,
  clock: Clock,
): Promise<Sandbox> {
  const { PATH } = cleanEnvironment()
  const [bwrap, env, probe] = await Promise.all(['bwrap', 'env', 'true'].map((name) => findProgram(name, PATH)))
  if (!bwrap) return forAdministrators('bwrap was not found')
  if (!env || !probe) return forAdministrators('env and true were not found')
  const tools = { bwrap, env, ...around }
  const started = await wrapped(tools, { program: probe, args: [], scope: '/tmp', folder: '/tmp' })
  const { kind, code, output } = await runCommand({
    ...started,
    ...{ limits: probeLimits, clock, signal: new AbortController().signal },
  })
  if (kind !== 'ended' || code !== 0) return forAdministrators(output.trim().split('\n')[0] || `bwrap: ${kind} ${code}`)
  const sentence = [
    'Commands that people run are confined by bubblewrap to their own files and the folders of the system. Access rules do not bind them.',
    ...(around.hasNetwork ? [] : ['They have no network, because a proxy of this machine could sign anybody in.']),
    ...(isRoot ? ['They run as root, as the server does: let it run as a user of its own.'] : []),
  ].join(' ')
  const wrap = async (asked: Program) => {
    const problem = await problemOf(asked, around.server)
    return problem === undefined ? wrapped(tools, asked) : { problem }
  }
  return { isForAll: true, sentence, wrap }
}

function forAdministrators(reason: string): Sandbox {
  const sentence = `Commands cannot be confined here (${reason}): only administrators run them, with the rights of the server. Install bubblewrap, or start with --exec-unconfined.`
  return { isForAll: false, sentence }
}

type Tools = Readonly<{ bwrap: string; env: string; server: ServerPaths; hasNetwork: boolean }>

/**
 * bubblewrap stays in the process group of its program, so that Ctrl+C and the end of a terminal reach both. It ignores these signals,
 * and `env` gives the program their usual meaning back: the program may end by itself, and its exit code is the one that is told.
 * Not `--new-session`: a shell could not control its jobs.
 */
async function wrapped({ bwrap, env, server, hasNetwork }: Tools, { program, args, scope, folder }: Program): Promise<Started> {
  const rights = [...(isRoot ? ['--remount-ro', '/etc', ...rootRights] : []), ...(hasNetwork ? [] : ['--unshare-net'])]
  const own = ['--bind', scope, scope, '--chdir', folder, '--die-with-parent', '--unshare-pid', ...rights]
  const setup = [...(await system()), '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', ...(await hidden(server)), ...own]
  const line = [bwrap, ...setup, '--', env, `--default-signal=${signals.join()}`, program, ...args]
  return {
    program: '/bin/sh',
    args: ['-c', `trap '' ${signals.join(' ')}; exec "$@"`, 'sh', ...line],
    // The home folder of the server is not there.
    env: { ...cleanEnvironment(), HOME: '/tmp' },
  }
}

const signals = ['HUP', 'INT', 'QUIT']

/** As root bubblewrap leaves a program all rights, also to mount. These are for files of other owners in the scope. */
const rootRights = [
  '--cap-drop',
  'ALL',
  ...['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'].flatMap((name) => ['--cap-add', name]),
]

/** The system's folders, read-only. */
async function system(): Promise<string[]> {
  const folders = systemFolders.map(async (folder) => {
    if (isRoot && folder === '/etc')
      return ['--tmpfs', '/etc', ...settingsOfPrograms.flatMap((path) => ['--ro-bind-try', path, path])]
    const stats = await lstat(folder).catch(() => undefined)
    if (!stats) return []
    return stats.isSymbolicLink() ? ['--symlink', await readlink(folder), folder] : ['--ro-bind', folder, folder]
  })
  const resolver = await realpath('/etc/resolv.conf').catch(() => undefined)
  const names = resolver === undefined || isBelow(resolver, '/etc') ? [] : ['--ro-bind-try', resolver, resolver]
  return [...(await Promise.all(folders)).flat(), ...names]
}

/** Hides the paths of the server that lie in folders of the system: folders are empty, files too. */
async function hidden({ stateFile, files, folders }: ServerPaths): Promise<string[]> {
  const common = new Set([...systemFolders, ...cleanEnvironment().PATH.split(':')])
  // Each save makes a new file, so the state's folder is hidden whole.
  const hiddenFolders = new Set(await trueNames([...folders, dirname(stateFile)]))
  const hiddenFiles = new Set<string>()
  for (const file of await trueNames(files)) {
    // A renewed certificate is a new file, which would no longer be hidden.
    if (common.has(dirname(file))) hiddenFiles.add(file)
    else hiddenFolders.add(dirname(file))
  }
  const inSystem = (path: string) => systemFolders.some((folder) => isBelow(path, folder))
  const present = async (paths: Iterable<string>) => {
    const found = await Promise.all([...paths].filter(inSystem).map(async (path) => ((await exists(path)) ? [path] : [])))
    return found.flat()
  }
  return [
    ...(await present(hiddenFolders)).flatMap((folder) => ['--tmpfs', folder]),
    ...(await present(hiddenFiles)).flatMap((file) => ['--ro-bind', '/dev/null', file]),
  ]
}

/** A program could replace the paths of the server in its scope, or read them. @returns why it may not run */
async function problemOf({ scope, folder }: Program, { stateFile, files, folders }: ServerPaths): Promise<string | undefined> {
  const held = (await trueNames([stateFile, ...files, ...folders])).find((path) => isBelow(path, scope))
  if (held !== undefined) return `commands do not run here: your files hold ${basename(held)} of the server`
  return isBelow(folder, scope) ? undefined : 'commands run only in folders of your own files'
}

/** Paths as they were named, and as they are when links are followed. */
async function trueNames(paths: readonly string[]): Promise<string[]> {
  const named = paths.map((path) => resolve(path))
  const real = named.map(async (path) => [
    await realpath(path).catch(() => path),
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  ])
  return [...new Set([...named, ...(await Promise.all(real)).flat()])]
}

const isBelow = (path: string, folder: string) => isWithin(parsePath(path), parsePath(folder))

const exists = (path: string) =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
