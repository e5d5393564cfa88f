// Makes out/ui, the interface, and in out/server the bundle: holdall.cjs, which starts the server, and holdall.files, which has the
// code of the server and of its threads, and the interface.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { bundleParts, shareFirstPage } from './scripts/bundle-parts.ts'
import { bundleThreads, withoutSourceFolder } from './scripts/bundle-threads.ts'
import { makeNotices } from './scripts/notices.ts'
import { linksOf, type PackageLinks } from './scripts/product-links.ts'
import { splitLater } from './scripts/split-words.ts'
import { bundledFilesName, noticesName, packFiles } from './src-server/base/bundled-files.ts'
import { type PackedAssets, type PackedFile, packAssets } from './src-server/pages/assets.ts'

const top = import.meta.dirname
const entry = 'src-ui/main.tsx'
/** The pages of public links, and of links that take files in: bundles of their own, because few of their visitors have loaded the other. */
const linkEntries = { share: 'src-ui/share.tsx', request: 'src-ui/request.tsx' } as const
/** Packages with native modules. They are not bundled: they stay in node_modules or are packed into the executable. */
export const nativePackages = ['@napi-rs/lzma', 'argon2', 'lz4-napi', 'node-pty', 'sharp'] as const

export type UiOptions = {
  /** The project's folder. */
  folder?: string
  /** The folder that it is written to; out/ui unless given. */
  target?: string
  /** false: neither minified nor compressed, which is quicker. */
  release?: boolean
  /** true: the page reloads when its files change. */
  reload?: boolean
}

/** Bundles src-ui and the locales, and writes them to `target`. @throws when the bundle would contain a file of the server */
export async function buildUi({ folder = top, target, release = true, reload = false }: UiOptions = {}): Promise<PackedAssets> {
  const outdir = join(folder, 'out/ui')
  await rm(target ?? outdir, { recursive: true, force: true })
  const { metafile, outputFiles } = await build({
    ...uiSettings(folder, release),
    ...(reload && { inject: ['scripts/dev-reload.ts'] }),
    outdir,
    metafile: true,
    write: false,
  })
  refuseServerFiles(metafile)
  const links = await Promise.all(Object.values(linkEntries).map((file) => buildLinkPage(folder, release, file)))
  const files = new Map(
    [...outputFiles, ...links.flatMap((link) => link.outputFiles)].map(({ path, contents }) => [
      relative(outdir, path),
      contents,
    ]),
  )
  const plain = [...(await readPlainFiles(folder)), ...(await readPdfFiles(folder))]
  for (const { address, contents } of plain) files.set(address, contents)
  for (const [address, contents] of files) await put(join(target ?? outdir, address), contents)
  const outputs = Object.assign({ ...metafile.outputs }, ...links.map((link) => link.outputs)) as Metafile['outputs']
  const named = Object.entries(outputs).flatMap(([path, output]) => namesOf(relative('out/ui', path), output))
  return {
    names: Object.fromEntries([...named, ...plain.map(({ name, address }) => [name, address] as const)]),
    preload: preloads(metafile),
    files: Object.fromEntries(await Promise.all([...files].map(([address, contents]) => pack(address, contents, release)))),
  }
}

/** In one file, because all of it is needed. */
async function buildLinkPage(folder: string, release: boolean, file: string) {
  if (!existsSync(join(folder, file))) return { outputFiles: [], outputs: {} }
  const settings = {
    ...uiSettings(folder, release),
    entryPoints: [file],
    plugins: [bundleParts(folder, release), ...splitLater(folder, release, file)],
    splitting: false,
  }
  const { metafile, outputFiles } = await build({ ...settings, outdir: join(folder, 'out/ui'), metafile: true, write: false })
  refuseServerFiles(metafile)
  return { outputFiles, outputs: metafile.outputs }
}

/**
 * Bundles the server, and packs the interface and the threads beside it.
 * @param notices the licences of what is bundled
 * @returns the file that runs it
 */
export async function buildServer(assets: PackedAssets, folder = top, notices = ''): Promise<string> {
  const target = join(folder, 'out/server')
  const [launcher, server, threads] = await Promise.all([bundleLauncher(), bundleServer(folder), bundleThreads(folder)])
  const files = packFiles([
    ['server.cjs', Buffer.from(inAscii(asFunction(server)))],
    ...Object.entries(threads).map(([file, code]) => [`threads/${file}`, Buffer.from(code)] as const),
    ...packAssets(assets),
    ...(notices === '' ? [] : [[noticesName, await compress(Buffer.from(notices))] as const]),
  ])
  await put(join(target, bundledFilesName), files)
  return put(join(target, 'holdall.cjs'), Buffer.from(launcher))
}

/** See src-server/launch.ts. */
async function bundleLauncher(): Promise<string> {
  const { outputFiles } = await build({
    ...serverSettings,
    absWorkingDir: top,
    entryPoints: ['src-server/launch.ts'],
    define: { HOLDALL_FOLDER: '__dirname' },
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

async function bundleServer(folder: string): Promise<string> {
  const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageLinks & { version: string }
  const { outputFiles } = await build({
    ...serverSettings,
    absWorkingDir: folder,
    entryPoints: ['src-server/main.ts'],
    external: [...nativePackages],
    plugins: [withoutSourceFolder],
    define: { HOLDALL_VERSION: JSON.stringify(described.version), HOLDALL_LINKS: JSON.stringify(linksOf(described)) },
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * The same code with ASCII characters only, as launch.ts and the cache of compiled code read it: esbuild leaves others in regular
 * expressions.
 */
function inAscii(code: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return code.replace(/[^\0-\x7f]/g, escaped)
}

/** The code of the server as the function that src-server/launch.ts calls. */
function asFunction(code: string): string {
  return `(function (require, __filename, __dirname, holdallFiles) { const module = { exports: {} }; const { exports } = module;\n${code}\n})`
}

const serverSettings = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // In the executable import() does not find packed files; require() does.
  supported: { 'dynamic-import': false },
  charset: 'ascii',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // import.meta is empty in CommonJS: the build fails rather than the server later.
  logOverride: { 'empty-import-meta': 'error' },
  logLevel: 'warning',
} as const satisfies BuildOptions

function uiSettings(folder: string, release: boolean) {
  return {
    absWorkingDir: folder,
    entryPoints: [entry],
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
    plugins: [bundleParts(folder, release), shareFirstPage(folder), ...splitLater(folder, release)],
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: release,
    define: { 'process.env.NODE_ENV': JSON.stringify(release ? 'production' : 'development') },
    legalComments: 'none',
    logLevel: 'warning',
  } as const satisfies BuildOptions
}

/** What server and page know alike: the languages, and which rules block what is below. They import nothing. */
const sharedFiles = ['choose-locale', 'languages', 'blocks-below'].map((name) => `src-server/contract/${name}.ts`)

function refuseServerFiles(metafile: Metafile) {
  const intruder = Object.keys(metafile.inputs).find((file) => file.startsWith('src-server/') && !sharedFiles.includes(file))
  if (!intruder) return
  const importer = Object.entries(metafile.inputs).find(([, input]) => input.imports.some(({ path }) => path === intruder))?.[0]
  throw new Error(`the interface must not hold ${intruder}, which ${importer ?? 'an entry'} imports: use "import type"`)
}

type Output = Metafile['outputs'][string]

/** The server finds only the entries and their styles by name; these contain the addresses of all other files. */
function namesOf(address: string, { entryPoint, cssBundle }: Output): [string, string][] {
  const name = entryPoint === entry ? 'main' : Object.entries(linkEntries).find(([, file]) => file === entryPoint)?.[0]
  if (name === undefined) return []
  return [[`${name}.js`, address], ...(cssBundle ? [[`${name}.css`, relative('out/ui', cssBundle)] as [string, string]] : [])]
}

/** The static imports of the entry, and theirs. */
function preloads({ outputs }: Metafile): string[] {
  const main = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry)
  const found = new Set<string>()
  const follow = (path: string) => {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(next)) continue
      found.add(next)
      follow(next)
    }
  }
  if (main) follow(main)
  return [...found].map((path) => relative('out/ui', path))
}

/** Files that are served unchanged at an address with a hash: the locales, and pictures in src-ui itself. */
async function readPlainFiles(folder: string) {
  const locales = await readdir(join(folder, 'locales'))
  const pictures = (await readdir(join(folder, 'src-ui'))).filter((name) => ['.svg', '.png'].includes(extname(name)))
  return Promise.all([
    ...locales.map(async (name) => {
      // Parsed and serialized: invalid JSON fails here, and white space is removed.
      const text = await readFile(join(folder, 'locales', name), 'utf8')
      return hashed(`locales/${name}`, Buffer.from(JSON.stringify(JSON.parse(text))))
    }),
    ...pictures.map(async (name) => hashed(name, await readFile(join(folder, 'src-ui', name)))),
  ])
}

/** The files that pdf.js loads when a document needs them. It makes their addresses itself, so that the folder has the version. */
async function readPdfFiles(folder: string) {
  const source = join(folder, 'node_modules/pdfjs-dist')
  if (!existsSync(source)) return []
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as PackageLinks & { version: string }
  const kept = /^(?:cmaps\/.*\.bcmap|standard_fonts\/.*\.(?:pfb|ttf)|wasm\/(?:jbig2|openjpeg|qcms_bg)\.wasm)$/
  const names = (await readdir(source, { recursive: true })).filter((name) => kept.test(name))
  return Promise.all(
    names.map(async (name) => {
      const address = `pdf-${version}/${name}`
      return { name: address, address, contents: await readFile(join(source, name)) }
    }),
  )
}

function hashed(name: string, contents: Uint8Array) {
  const ending = extname(name)
  return { name, address: `${name.slice(0, -ending.length)}-${digest(contents).slice(0, 8)}${ending}`, contents }
}

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.wasm': 'application/wasm',
}

/** Files that compress little, or are loaded seldom. */
const isPacked = /\.(?:png|woff2|ttf|pfb|bcmap|wasm)$/

async function pack(address: string, contents: Uint8Array, release: boolean): Promise<[string, PackedFile]> {
  const type = contentTypes[extname(address)]
  if (!type) throw new Error(`build.ts knows no content type for ${address}`)
  const file = { type, etag: `"${digest(contents)}"`, body: Buffer.from(contents) }
  if (!release || isPacked.test(address)) return [address, file]
  const compressed = await compress(contents)
  return [address, compressed.length < contents.length ? { ...file, body: compressed, encoding: 'br' } : file]
}

/** Bytes up to which a file is compressed as well as possible. */
const largestBest = 1_000_000

async function compress(contents: Uint8Array): Promise<Buffer> {
  // The last steps of quality take a large file many seconds and gain a few per cent.
  const best = contents.length > largestBest ? 9 : constants.BROTLI_MAX_QUALITY
  return promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: best } })
}

function digest(contents: Uint8Array) {
  return createHash('sha256').update(contents).digest('base64url').slice(0, 22)
}

/** Writes to another name and renames: a server that starts meanwhile reads the old file or the new one. @returns the file */
async function put(file: string, contents: Uint8Array): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.${process.pid}`, contents)
  await rename(`${file}.${process.pid}`, file)
  return file
}

/** Bytes, compressed with brotli, that a browser loads before the first paint. */
export function firstLoad({ names, preload, files }: PackedAssets): number {
  const addresses = [names['main.js'], names['main.css'], ...preload].filter((address) => address !== undefined)
  const bytes = addresses.map((address) => files[address]?.body.length ?? 0)
  return bytes.reduce((sum, size) => sum + size, 0)
}

function kib(bytes: number) {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

async function main() {
  const started = performance.now()
  const assets = await buildUi()
  const all = Object.values(assets.files).reduce((sum, { body }) => sum + body.length, 0)
  console.log(
    `interface: ${kib(firstLoad(assets))} for the first page, ${kib(all)} in ${Object.keys(assets.files).length} files (brotli)`,
  )
  const server = await buildServer(assets, top, await makeNotices(top, nativePackages))
  const { size } = await stat(join(dirname(server), bundledFilesName))
  console.log(`server: ${relative(resolve('.'), server)}, with ${kib(size)} in ${bundledFilesName}`)
  console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

if (import.meta.main) await main()
