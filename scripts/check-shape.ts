// Fails when a file imports against the direction of the layers, imports a package that is reserved for another module,
// evades this check, is longer than 400 lines, or is a fragment of another file. esbuild finds the imports: static, dynamic, side effects and types.
import { glob, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { type BuildFailure, type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { belongsTo, evasions, fragments, longest, mayImport, mayImportTypes, reserved } from './layers.ts'

const sources = ['src-server', 'src-ui'] as const
const alsoMeasured = ['scripts', 'test', 'build.ts'] as const

/**
 * @param cwd the project's folder
 * @returns one sentence for each problem
 */
export async function shapeProblems(cwd: string): Promise<string[]> {
  const files = await namesBelow(cwd, sources)
  const measured = await namesBelow(cwd, alsoMeasured)
  const texts = await Promise.all(
    [...files, ...measured].map(async (file) => text(file, await readFile(join(cwd, file), 'utf8'))),
  )
  return [...files.flatMap(withoutModule), ...(await importProblems(cwd, files)), ...texts.flat()]
}

const typePrefix = 'type:'

/** esbuild drops imports of types. Rewritten to imports for side effects, with a prefix, they stay in its list of imports. */
const typesCount: Plugin = {
  name: 'imports of types count',
  setup({ onLoad, onResolve, resolve }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source.replace(
        /^(?:import|export)\s+type\s[^;'"]*?\sfrom\s+(['"])([^'"]+)\1/gm,
        `import '${typePrefix}$2'`,
      )
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
    onResolve({ filter: new RegExp(`^${typePrefix}`) }, ({ path, resolveDir, kind }) => {
      const name = path.slice(typePrefix.length)
      return name.startsWith('.') ? resolve(name, { resolveDir, kind }) : { path: name, external: true }
    })
  },
}

async function importProblems(cwd: string, files: readonly string[]): Promise<string[]> {
  try {
    const { metafile } = await build({
      ...settings,
      absWorkingDir: cwd,
      entryPoints: files.filter((file) => !file.endsWith('.d.ts')),
    })
    const problems = Object.entries(metafile.inputs).flatMap(([file, input]) =>
      input.imports.flatMap(({ path, external, original }) =>
        external ? foreign(file, path) : inside(file, path, original?.startsWith(typePrefix) ?? false),
      ),
    )
    return [...problems, ...(await fragmentProblems(cwd, metafile))]
  } catch (error) {
    const { errors } = error as BuildFailure
    if (!errors) throw error
    return errors.map(({ text, location }) => `${location?.file ?? 'the build'}: ${text}`)
  }
}

/** Files that are too short to be one of their own, and reasons of files that are not. */
async function fragmentProblems(cwd: string, { inputs }: Metafile): Promise<string[]> {
  const importers = new Map<string, Set<string>>()
  for (const [file, input] of Object.entries(inputs))
    for (const { path } of input.imports) importers.set(path, (importers.get(path) ?? new Set()).add(file))
  const checked = Object.keys(inputs).filter((file) => fragments.folders.some((folder) => file.startsWith(folder)))
  const problems = checked.map(async (file) => {
    const [importer, ...others] = importers.get(file) ?? []
    const lines = linesOf(await readFile(join(cwd, file), 'utf8'))
    const isFragment = importer !== undefined && others.length === 0 && lines < fragments.lines
    const hasReason = fragments.reasons[file] !== undefined
    if (isFragment === hasReason) return []
    return isFragment
      ? [`${file} has ${lines} lines and belongs into ${importer}, unless scripts/layers.ts says why not`]
      : [`${file} needs no reason in scripts/layers.ts any more`]
  })
  return (await Promise.all(problems)).flat()
}

const settings: BuildOptions & { metafile: true } = {
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
  plugins: [typesCount],
}

async function namesBelow(cwd: string, folders: readonly string[]): Promise<string[]> {
  const patterns = folders.map((folder) => (folder.includes('.') ? folder : `${folder}/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}`))
  const names: string[] = []
  for await (const name of glob(patterns, { cwd })) names.push(name)
  return names.sort()
}

function foreign(file: string, name: string) {
  const bare = name.replace(/^node:/, '')
  if (file.startsWith('src-ui/') && (name.startsWith('node:') || builtinModules.includes(bare))) return [refusal(file, name)]
  const owners = Object.entries(belongsTo).filter(([owned]) => (owned.endsWith('/') ? bare.startsWith(owned) : bare === owned))
  return owners.every(([, modules]) => modules.some((module) => isIn(file, module))) ? [] : [refusal(file, name)]
}

function inside(file: string, target: string, isType: boolean) {
  if (isType && mayImportTypes.some(([from, to]) => isIn(file, from) && isIn(target, to))) return []
  const module = moduleOf(file)
  if (!module) return []
  const isBelow = mayImport[module]?.some((start) => target === start || (start.endsWith('/') && target.startsWith(start)))
  return isIn(target, module) || isBelow ? [] : [refusal(file, target)]
}

function withoutModule(file: string) {
  return moduleOf(file) ? [] : [`${file} is in no module: scripts/layers.ts lists them`]
}

function moduleOf(file: string) {
  return Object.keys(mayImport).find((module) => isIn(file, module))
}

function isIn(file: string, module: string) {
  return file === module || file.startsWith(`${module}/`)
}

function text(file: string, source: string) {
  const lines = linesOf(source)
  const tooLong = lines > longest ? [`${file} has ${lines} lines: ${longest} is the most that one file may have`] : []
  if (!sources.some((folder) => isIn(file, folder))) return tooLong
  const evaded = evasions.filter(([pattern]) => pattern.test(source)).map(([, name]) => `${file} must not use ${name}`)
  const misused = reserved.filter(([files, pattern]) => files.test(file) && pattern.test(source))
  return [...tooLong, ...evaded, ...misused.map(([, , sentence]) => `${file} ${sentence}`)]
}

function linesOf(source: string) {
  return source.split('\n').length - 1
}

function refusal(file: string, target: string) {
  return `${file} must not import ${target}`
}

if (import.meta.main) {
  const problems = await shapeProblems(process.cwd())
  console.log(problems.join('\n') || 'The shape is right.')
  process.exitCode = problems.length ? 1 : 0
}
