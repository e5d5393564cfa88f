// The licences of all software that the executable holds: --licenses prints them, and a file beside the executable has them.
import { existsSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'

/** Packages that no source imports: those of Node and of the code that pkg adds to the executable. */
const carried = [
  `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  '@yao-pkg/pkg',
  '@roberts_lando/vfs',
]

/** What packages name as needed and only their installation uses. */
const onlyInstalled = ['cross-env']

type Package = Readonly<{ name: string; version: string; license: string; folder: string; needs: readonly string[] }>
type Description = Readonly<{
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}>

/**
 * @param folder the project's
 * @param natives packages that are packed whole, with what they need for this system
 * @returns a text of some hundred kilobytes
 * @throws Error when a package has no licence
 */
export async function makeNotices(folder: string, natives: readonly string[]): Promise<string> {
  const packages = await packagesOf(folder, natives)
  const given = join(folder, 'scripts/licenses')
  const texts = new Map<string, string[]>()
  for (const one of packages.values()) {
    const text = await licenseOf(one, given)
    texts.set(text, [...(texts.get(text) ?? []), `${one.name} ${one.version}`])
  }
  const list = [...packages.values()].map(({ name, version, license }) => `  ${name} ${version}: ${license}`)
  const chapters = [...texts].map(
    ([text, names]) => `${'='.repeat(80)}\n${names.join('\n')}\n${'-'.repeat(80)}\n${text.trim()}\n`,
  )
  return `${introduction}\n${[...new Set(list)].sort().join('\n')}\n\n${chapters.join('\n')}`
}

const introduction = `Holdall is licensed under Apache-2.0. It holds the following software, whose licences are below.

libvips and some of its libraries are licensed under the LGPL. They are one shared library, libvips-cpp.so.*, which the executable
unpacks below --cache-dir and loads from there. Started from its sources, Holdall loads the one in node_modules/@img, which may be
exchanged. Their sources, and how they are built: https://github.com/lovell/sharp-libvips
`

async function packagesOf(folder: string, natives: readonly string[]): Promise<Map<string, Package>> {
  const found = new Map<string, Package>()
  const named = [
    ...(await importedBy(folder)),
    ...natives,
    ...carried.filter((name) => existsSync(join(folder, 'node_modules', name))),
  ]
  const waiting = named.map((name) => ({ name, from: folder, isNative: natives.includes(name), isNeeded: true }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const place = placeOf(next.name, next.from)
    if (place === undefined && !next.isNeeded) continue
    if (place === undefined) throw new Error(`${next.name} is not installed`)
    if (found.has(place)) continue
    const described = await readPackage(place)
    found.set(place, described.package)
    // What pkg itself needs to pack is not in the executable.
    if (carried.includes(next.name)) continue
    const { isNative } = next
    for (const name of described.package.needs) waiting.push({ name, from: place, isNative, isNeeded: true })
    // The binaries of native packages are optional, one for each system.
    if (isNative) for (const name of described.optional) waiting.push({ name, from: place, isNative, isNeeded: false })
  }
  return found
}

async function readPackage(folder: string): Promise<{ package: Package; optional: readonly string[] }> {
  const {
    name,
    version,
    license = '',
    dependencies,
    optionalDependencies,
  } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Description
  const optional = Object.keys(optionalDependencies ?? {})
  const needs = Object.keys(dependencies ?? {}).filter((one) => ![...optional, ...onlyInstalled].includes(one))
  return { package: { name, version, license, folder, needs }, optional }
}

/** The folder of a package as Node finds it. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
    if (folder === dirname(folder)) return undefined
  }
}

/** The packages that the sources import, types left out. */
async function importedBy(folder: string): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const file of glob(['src-ui/**/*.{ts,tsx}', 'src-server/**/*.ts'], { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const [, name = ''] of text.matchAll(imported)) if (!builtinModules.includes(name)) names.add(name)
  }
  return names
}

/** `import … from 'a'`, `import 'a'`, `import('a')`; the name without what is below it. */
const imported =
  /(?:^import\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?|^\}\s+from\s+|\bimport\()'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/gm

/** @throws Error when there is none */
async function licenseOf({ name, license, folder }: Package, given: string): Promise<string> {
  const own = await textsIn(folder)
  const files = await readdir(given).catch(() => [])
  const ours = files.filter((file) => file === `${name.replace('/', '__')}.txt`)
  const named = /LGPL/.test(license) ? files.filter((file) => /^(?:L?GPL|MPL)-/.test(file)) : []
  const added = await Promise.all([...ours, ...named].map((file) => readFile(join(given, file), 'utf8')))
  // The licences of what is linked into libvips are named in its description.
  const about = /LGPL/.test(license) ? [await readFile(join(folder, 'README.md'), 'utf8')] : []
  const texts = [...about, ...own, ...added]
  if (texts.length > 0) return texts.join('\n\n')
  // A binary of a native package has the licence of that package.
  const whole = /^(.*\/[\w-]+?)-(?:linux|win32|darwin)\b/.exec(name)?.[1] ?? name
  const parent = [whole, whole.replace(/^@[^/]+\//, '')].find((one) => one !== name && placeOf(one, folder) !== undefined)
  if (parent === undefined) throw new Error(`${name} has no licence: add its text to scripts/licenses/`)
  return licenseOf((await readPackage(placeOf(parent, folder) ?? '')).package, given)
}

async function textsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  const names = files.filter((file) => isLicense.test(file) && !/(?:^|[\\/])node_modules[\\/]/.test(file))
  return Promise.all(names.sort().map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()))
}

/** LICENSE, license.md, LICENSE_FOXIT, COPYING, NOTICE.txt. */
const isLicense = /(?:^|[\\/])(?:licen[cs]e|copying|notice|copyright)(?:[-_][\w-]+)?(?:\.(?:md|txt|markdown))?$/i
