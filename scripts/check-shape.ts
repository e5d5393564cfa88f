// Fails when a file imports against the direction of the house, reaches for something that is another room's,
// goes round the import table, or grows past 300 lines. esbuild finds the imports: static, dynamic and side effects.
import { glob, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { type BuildFailure, type BuildOptions, build } from 'esbuild'
import { belongsTo, evasions, longest, mayImport, reserved, separate } from './house.ts'

const sources = ['src-server', 'src-ui'] as const
const alsoMeasured = ['scripts', 'test', 'build.ts'] as const

/**
 * @param cwd the project's top
 * @returns one sentence for each thing that is wrong; empty when the shape is right
 */
export async function shapeProblems(cwd: string): Promise<string[]> {
  const files = await namesBelow(cwd, sources)
  const measured = await namesBelow(cwd, alsoMeasured)
  const texts = await Promise.all(
    [...files, ...measured].map(async (file) => text(file, await readFile(join(cwd, file), 'utf8'))),
  )
  return [...files.flatMap(homeless), ...(await importProblems(cwd, files)), ...texts.flat()]
}

async function importProblems(cwd: string, files: readonly string[]): Promise<string[]> {
  try {
    const { metafile } = await build({
      ...settings,
      absWorkingDir: cwd,
      entryPoints: files.filter((file) => !file.endsWith('.d.ts')),
    })
    return Object.entries(metafile.inputs).flatMap(([file, input]) =>
      input.imports.flatMap(({ path, external }) => (external ? foreign(file, path) : inside(file, path))),
    )
  } catch (error) {
    const { errors } = error as BuildFailure
    if (!errors) throw error
    return errors.map(({ text, location }) => `${location?.file ?? 'the build'}: ${text}`)
  }
}

const settings = {
  bundle: true,
  write: false,
  outdir: 'out/shape',
  metafile: true,
  packages: 'external',
  external: ['holdall:*'],
  platform: 'node',
  format: 'esm',
  loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
  tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', verbatimModuleSyntax: true } },
  logLevel: 'silent',
} as const satisfies BuildOptions

async function namesBelow(cwd: string, places: readonly string[]): Promise<string[]> {
  const patterns = places.map((place) => (place.includes('.') ? place : `${place}/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}`))
  const names: string[] = []
  for await (const name of glob(patterns, { cwd })) names.push(name)
  return names.sort()
}

function foreign(file: string, name: string) {
  const bare = name.replace(/^node:/, '')
  if (file.startsWith('src-ui/') && (name.startsWith('node:') || builtinModules.includes(bare))) return [refusal(file, name)]
  const owners = Object.entries(belongsTo).filter(([owned]) => (owned.endsWith('/') ? bare.startsWith(owned) : bare === owned))
  return owners.every(([, rooms]) => rooms.some((room) => isIn(file, room))) ? [] : [refusal(file, name)]
}

function inside(file: string, target: string) {
  const room = roomOf(file)
  if (!room) return []
  const isOwn = isIn(target, room) && !separate.some((folder) => isNeighbour(file, target, folder))
  const isBelow = mayImport[room]?.some((start) => target === start || (start.endsWith('/') && target.startsWith(start)))
  return isOwn || isBelow ? [] : [refusal(file, target)]
}

/** Two files in different folders of a room whose folders do not know each other. */
function isNeighbour(file: string, target: string, folder: string) {
  if (!isIn(file, folder) || !isIn(target, folder)) return false
  const depth = folder.split('/').length
  return file.split('/')[depth] !== target.split('/')[depth]
}

function homeless(file: string) {
  return roomOf(file) ? [] : [`${file} stands in no room of the house: scripts/house.ts names them`]
}

function roomOf(file: string) {
  return Object.keys(mayImport).find((room) => isIn(file, room))
}

function isIn(file: string, room: string) {
  return file === room || file.startsWith(`${room}/`)
}

function text(file: string, source: string) {
  const lines = source.split('\n').length - 1
  const tooLong = lines > longest ? [`${file} has ${lines} lines: ${longest} is the end of what one file may hold`] : []
  if (!sources.some((folder) => isIn(file, folder))) return tooLong
  const roundabout = evasions.filter(([pattern]) => pattern.test(source)).map(([, name]) => `${file} must not use ${name}`)
  const trespass = reserved.filter(([files, pattern]) => files.test(file) && pattern.test(source))
  return [...tooLong, ...roundabout, ...trespass.map(([, , sentence]) => `${file} ${sentence}`)]
}

function refusal(file: string, target: string) {
  return `${file} must not import ${target}`
}

if (import.meta.main) {
  const problems = await shapeProblems(process.cwd())
  console.log(problems.join('\n') || 'The shape is right.')
  process.exitCode = problems.length ? 1 : 0
}
