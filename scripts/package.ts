// Makes out/holdall-<system>-<processor>: one file with Node, the server, the interface and the native modules.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { nativePackages } from '../build.ts'
import { bundledFilesName } from '../src-server/base/bundled-files.ts'
import { bundleNotices, makeBundle } from './bundle.ts'
import { codeCacheFlags } from './code-cache.ts'
import { hashOf, isFresh, markFresh, markStale, packageSources } from './sources.ts'

const top = resolve(import.meta.dirname, '..')
const modules = join(top, 'node_modules')
/** Below out/, because /tmp may be too small. Each run has its own folder. */
const staging = join(top, 'out', `package-${process.pid}`)
const system = ({ linux: 'linux', win32: 'win', darwin: 'macos' } as Record<string, string>)[process.platform] ?? process.platform
const platform = `${process.platform}-${process.arch}`

const terminal = join(modules, 'node-pty/build/Release/pty.node')

/** The path of the executable for this machine. */
export const executable = join(top, 'out', `holdall-${system}-${process.arch}${system === 'win' ? '.exe' : ''}`)

/** Builds and packs the executable, unless it was made from the same sources. @returns its path */
export async function makeExecutable(): Promise<string> {
  const sources = await hashOf(packageSources)
  if (await isFresh(executable, sources)) {
    console.log(`${relative(top, executable)} is up to date`)
    return executable
  }
  await removeStaleStaging()
  try {
    await stage(await makeBundle(console.log))
    await pack()
    await tryOut(join(staging, 'holdall'))
    await markStale(executable)
    await copyFile(bundleNotices, `${executable}.licenses.txt`)
    await rename(join(staging, 'holdall'), executable)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  await markFresh(executable, sources)
  return executable
}

/** Removes the folders of runs that were killed. */
async function removeStaleStaging() {
  for (const name of await readdir(join(top, 'out')).catch(() => [])) {
    const pid = Number(/^package-(\d+)$/.exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) await rm(join(top, 'out', name), { recursive: true, force: true })
  }
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** pkg packs all dependencies of a package.json, so it gets one with only the required ones. */
async function stage(bundle: string) {
  await mkdir(join(staging, 'temporary'), { recursive: true })
  await copyFile(bundle, join(staging, 'holdall.cjs'))
  await makeCodeCache(bundle)
  // pkg packs what it sees in the code that it is given; the code of the server is an asset.
  await writeFile(join(staging, 'natives.cjs'), nativePackages.map((name) => `require('${name}')\n`).join(''))
  await writeFile(join(staging, 'package.json'), JSON.stringify(await description()))
  await provideNode(join(staging, 'home/.pkg-cache/sea'))
  await copyPkg(join(staging, 'pkg/node_modules/@yao-pkg/pkg'))
}

/** Adds V8's cache of the code that a start runs to the bundled files. */
async function makeCodeCache(bundle: string) {
  const script = join(import.meta.dirname, 'code-cache.ts')
  const files = [join(dirname(bundle), bundledFilesName), join(staging, bundledFilesName)]
  const child = spawn(process.execPath, [...codeCacheFlags, script, ...files], {
    cwd: staging,
    env: { PATH: process.env.PATH, HOLDALL_ADMIN_PASSWORD: 'only for this start' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await succeed(child, 'the start for the code cache')
}

async function description() {
  const { version } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as { version: string }
  return {
    name: 'holdall',
    version,
    bin: 'holdall.cjs',
    dependencies: Object.fromEntries(nativePackages.map((name) => [name, '*'])),
    pkg: {
      scripts: ['natives.cjs'],
      assets: nativeAssets(),
      ignore: [
        '**/node-pty/{third_party,deps,prebuilds,src,scripts,typings}/**',
        `**/prebuilds/!(${platform})/**`,
        '**/*.{d.ts,map,md}',
      ],
    },
  }
}

function nativeAssets() {
  if (!existsSync(terminal)) console.error('holdall: node-pty is not compiled, so this executable will have no shell')
  // libvips must stay in the folder beside the binding that loads it.
  const pictures = [`sharp-${platform}`, `sharp-libvips-${platform}`].map((name) => join(modules, '@img', name, '**/*'))
  const compressors = [`@napi-rs/lzma-${platform}*`, `@antoniomuso/lz4-napi-${platform}*`].map((name) => join(modules, name, '*'))
  return [terminal, ...pictures, ...compressors].map((file) => relative(staging, file))
}

/** Puts this Node into pkg's cache, verified and unpacked, so that pkg does not download one. */
async function provideNode(cache: string) {
  const name = `node-${process.version}-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const archive = join(cache, `${name}.${process.platform === 'win32' ? 'zip' : 'tar.gz'}`)
  const node = process.platform === 'win32' ? join(cache, `${name}.exe`) : join(cache, name, 'bin/node')
  await mkdir(resolve(node, '..'), { recursive: true })
  await copyFile(process.execPath, node)
  for (const file of [`${node}.ok`, archive, `${archive}.ok`]) await writeFile(file, '')
}

/**
 * The prelude that pkg adds reads the home folder, which the user of a service may not have, and unpacks native modules below it.
 * The changed prelude unpacks them to the folder that main.ts sets, when they are needed. Each passage occurs twice: as code, and
 * in the string that becomes the code of workers.
 */
const changes = [
  [/process\.env\.PKG_NATIVE_CACHE_PATH \|\| path\.join\(homedir\(\), \\?"\.cache\\?"\)/g, 'null'],
  [/path\.join\(PKG_NATIVE_CACHE_BASE, /g, 'path.join(process.env.PKG_NATIVE_CACHE_PATH, '],
  // Decoders start at once and unpack the same files: none may load a file that another is still writing, or write one that is loaded.
  [
    /fs\.writeFileSync\(dest, srcContent\);/g,
    'fs.writeFileSync(dest + process.pid, srcContent), fs.renameSync(dest + process.pid, dest);',
  ],
  // It puts PKG_EXECPATH into the environment of each command, and the server in the place of `node` in those after `-c`.
  [/shared\.patchChildProcess\(entrypoint2\);/g, '', 1],
] as const

/**
 * V8 lets the young generation of its heap grow to three times 16 MB per thread with any long work. With 4 MB the server is as fast:
 * see docs/performance.md. With `gc` archives give memory back early. pkg passes neither such options nor further assets on, so that
 * its configuration of the executable is changed.
 */
const configuration = [
  [/useSnapshot: false,/g, `useSnapshot: false, execArgv: ${JSON.stringify(codeCacheFlags)},`],
  [
    /__pkg_manifest__: manifestPath,/g,
    `__pkg_manifest__: manifestPath, ${JSON.stringify(bundledFilesName)}: process.env.HOLDALL_FILES,`,
    1,
  ],
] as const

async function copyPkg(target: string) {
  await cp(join(modules, '@yao-pkg/pkg'), target, { recursive: true })
  await changeFile(join(target, 'prelude/sea-bootstrap.bundle.js'), changePrelude)
  await changeFile(join(target, 'lib-es5/sea.js'), (source) => changed(source, configuration))
}

async function changeFile(file: string, change: (source: string) => string) {
  await writeFile(file, change(await readFile(file, 'utf8')))
}

/** @throws when pkg's prelude is not the one for which the changes were written */
export function changePrelude(source: string): string {
  return changed(source, changes)
}

function changed(source: string, replacements: readonly (readonly [RegExp, string, times?: number])[]): string {
  return replacements.reduce((text, [pattern, replacement, times = 2]) => {
    const found = text.match(pattern)?.length ?? 0
    if (found !== times)
      throw new Error(`pkg has ${pattern} ${found} times instead of ${times}: check what the new version does there`)
    return text.replace(pattern, replacement)
  }, source)
}

async function pack() {
  const target = `node${process.versions.node}-${system}-${process.arch}`
  const pkg = join(staging, 'pkg/node_modules/@yao-pkg/pkg/lib-es5/bin.js')
  const child = spawn(process.execPath, [pkg, '.', '--sea', '-t', target, '-o', join(staging, 'holdall')], {
    cwd: staging,
    env: {
      PATH: process.env.PATH,
      HOME: join(staging, 'home'),
      TMPDIR: join(staging, 'temporary'),
      HOLDALL_FILES: join(staging, bundledFilesName),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await succeed(child, 'pkg')
  await chmod(join(staging, 'holdall'), 0o755)
}

/** Runs the executable once: one that does not work must not replace the old one. */
async function tryOut(file: string) {
  const question = existsSync(terminal) ? '--self-test' : '--version'
  const child = spawn(file, [question], { cwd: staging, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  console.log((await succeed(child, `${file} ${question}`)).trimEnd())
}

/** @returns the output of the program @throws with the output when it fails */
async function succeed(child: ChildProcessByStdio<null, Readable, Readable>, name: string): Promise<string> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}:\n${output}`)
  return output
}

async function main() {
  const started = performance.now()
  const file = await makeExecutable()
  const megabytes = (await stat(file)).size / 1e6
  console.log(`${relative(top, file)}: ${megabytes.toFixed(0)} MB, in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

if (import.meta.main) await main()
