// Run by every npm script: plain JavaScript for Node 20 or newer, which needs no packages.
// It installs the packages of the lock file, compiles node-pty, and runs the script with the Node in node_modules.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const scripts = {
  start: 'scripts/start.ts',
  test: 'scripts/test.ts',
  'test:long': 'scripts/test-long.ts',
  dev: 'scripts/dev.ts',
  check: 'scripts/check.ts',
  'check:clipping': 'scripts/check-clipping.ts',
  package: 'scripts/package.ts',
  build: 'build.ts',
  bench: 'scripts/bench/bench.ts',
  'bench:ui': 'scripts/bench/bench-ui.ts',
}
const top = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(top, 'node_modules')
const stamp = join(modules, '.holdall-stamp')
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const projectNode = join(modules, '.bin', 'node')

const [verb, ...args] = process.argv.slice(2)
if (!Object.hasOwn(scripts, verb)) stop(`usage: node scripts/bootstrap.mjs ${Object.keys(scripts).join('|')} [arguments]`)
if (Number(process.versions.node.split('.')[0]) < 20) stop(`Holdall needs Node 20 or newer; this is ${process.version}.`)
await install()
requireNode()
await compileTerminal()
end(await run(projectNode, [join(top, scripts[verb]), ...args], { stdio: 'inherit' }))

function stop(sentence) {
  console.error(sentence)
  process.exit(2)
}

/** Prints a line of progress. */
function say(text) {
  console.error(`holdall: ${text}`)
}

async function install() {
  const wanted = hashOfLock()
  if (readText(stamp) === wanted) return
  if (!isInstalled()) {
    say('installing the packages of package-lock.json (npm ci) …')
    const started = Date.now()
    const ended = await runNpm(['ci', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'])
    if (ended.signal) end(ended)
    if (ended.code !== 0)
      stop(`npm ci failed${ended.error ? `: ${ended.error.message}` : ''}. The reason is in its output above.`)
    say(`installed in ${seconds(started)}`)
  }
  await installForProjectNode()
  writeFileSync(stamp, wanted)
}

/**
 * npm leaves out optional packages that do not fit the Node that it runs with, which may be older than ours: the native part of xz
 * was missing. They are installed by our Node, in a second.
 */
async function installForProjectNode() {
  if (missingHere().length === 0) return
  requireNode()
  const ended = await runNpm(
    ['install', '--no-save', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'],
    projectNode,
  )
  if (ended.signal) end(ended)
  if (ended.code !== 0) stop(`npm install failed for ${missingHere().join(', ')}. The reason is in its output above.`)
}

/** The optional packages of the lock file that fit this system and are not installed. */
function missingHere() {
  const wanted = readLock(join(top, 'package-lock.json')) ?? {}
  const present = readLock(join(modules, '.package-lock.json')) ?? {}
  const fits = ({ os, cpu, libc }) =>
    (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && (!libc || libc.includes('glibc'))
  return Object.keys(wanted).filter((name) => wanted[name].optional && !present[name] && fits(wanted[name]))
}

function hashOfLock() {
  return createHash('sha256')
    .update(readFileSync(join(top, 'package-lock.json')))
    .digest('hex')
}

/**
 * Whether the packages of the lock file are already installed, by this script or by `npm ci`. npm writes its list of installed
 * packages at the end.
 */
function isInstalled() {
  const wanted = readLock(join(top, 'package-lock.json'))
  const present = readLock(join(modules, '.package-lock.json'))
  if (!wanted || !present) return false
  const names = Object.keys(wanted).filter((name) => name !== '')
  if (Object.keys(present).some((name) => !(name in wanted))) return false
  return names.every((name) => {
    if (!present[name]) return wanted[name].optional === true
    return present[name].version === wanted[name].version && present[name].integrity === wanted[name].integrity
  })
}

function readLock(file) {
  const text = readText(file)
  return text && JSON.parse(text).packages
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/**
 * Runs the npm that started this script, else the one in PATH.
 * @param node by default not the Node in node_modules, which `npm ci` removes
 */
function runNpm(npmArgs, node) {
  const cli = process.env.npm_execpath
  const stdio = ['ignore', 'ignore', 'inherit']
  if (cli?.endsWith('npm-cli.js'))
    return run(node ?? process.env.npm_node_execpath ?? process.execPath, [cli, ...npmArgs], { stdio })
  // The npm in PATH is a script that starts the first Node in PATH.
  const path = node ? [dirname(node), process.env.PATH].join(delimiter) : process.env.PATH
  return run('npm', npmArgs, { stdio, env: { ...process.env, PATH: path } })
}

function requireNode() {
  const { status, error } = spawnSync(projectNode, ['--version'], { stdio: 'ignore' })
  if (status === 0) return
  const why = error?.code === 'ENOENT' ? 'it was not installed' : 'it does not run on this system'
  stop(
    `Holdall brings its own Node for glibc Linux and Windows (x64) and Linux (arm64), but ${why} (${process.platform} ${process.arch}).`,
  )
}

/** node-pty has no binary for Linux, and its install script downloads headers, which the installed Node already contains. */
async function compileTerminal() {
  const home = join(modules, 'node-pty')
  const target = join(home, 'build', 'Release', 'pty.node')
  if (process.platform !== 'linux' || !existsSync(home) || existsSync(target)) return
  say('compiling the terminal (node-pty) …')
  mkdirSync(dirname(target), { recursive: true })
  const unfinished = `${target}.${process.pid}`
  const ended = await run('g++', compilerArguments(home, unfinished), { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })
  if (ended.code === 0) return renameSync(unfinished, target)
  rmSync(unfinished, { force: true })
  if (ended.signal) end(ended)
  const why = ended.error?.code === 'ENOENT' ? 'there is no C++ compiler (g++) here' : 'g++ could not compile node-pty'
  say(`${why}, so the shell will not be available; everything else will.`)
}

function compilerArguments(home, target) {
  const nodeHome = readdirSync(modules).find((name) => /^node-(linux)-/.test(name))
  const addonApi = [join(home, 'node_modules', 'node-addon-api'), join(modules, 'node-addon-api')].find(existsSync)
  const includes = [`-I${join(modules, nodeHome, 'include', 'node')}`, `-I${addonApi}`]
  const flags = ['-O2', '-std=c++20', '-fPIC', '-shared', '-DNODE_GYP_MODULE_NAME=pty']
  return [...flags, ...includes, 'src/unix/pty.cc', '-o', target, '-lutil']
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}

/**
 * Runs a program to its end and forwards signals. npm and the terminal both send the same Ctrl-C, so a signal is forwarded only
 * once per second: the server takes a second signal as "stop at once".
 */
function run(program, programArgs, options) {
  const child = spawn(program, programArgs, { cwd: top, ...options })
  const passedOn = new Map()
  const passOn = (signal) => {
    if (Date.now() - (passedOn.get(signal) ?? 0) < 1000) return
    passedOn.set(signal, Date.now())
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, passOn)
  const watch = watchParent(() => passOn('SIGTERM'))
  return new Promise((resolve) => {
    const done = (ended) => {
      clearInterval(watch)
      for (const signal of signals) process.removeListener(signal, passOn)
      resolve(ended)
    }
    child.on('error', (error) => done({ error }))
    child.on('exit', (code, signal) => done({ code, signal }))
  })
}

/** A killed npm forwards no signals: its children would go on and keep the port. */
function watchParent(orphaned) {
  if (!process.env.npm_lifecycle_event) return undefined
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) orphaned()
  }, 1000)
}

/** Exits like the child: with its code, or by the same signal. */
function end({ code, signal, error }) {
  if (error) stop(`${projectNode} did not start: ${error.message}`)
  if (!signal) process.exit(code)
  process.kill(process.pid, signal)
}
