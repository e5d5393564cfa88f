// Divides the English words between the first page and its lazy parts: all of them would be a twentieth of the first page.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { flatten, type Nested, stemOf, usedStems } from './check-locales.ts'
import { splitIcons, withoutIconNames } from './split-icons.ts'

const mainEntry = 'src-ui/main.tsx'
/** Its page is one file, which says refusals. */
const requestEntry = 'src-ui/request.tsx'
const words = 'locales/en.json'

/** What the first page has of words and icons, and what its lazy parts add. */
export const splitLater = (folder: string, release: boolean, entry = mainEntry): Plugin[] => [
  splitWords(folder, entry),
  splitIcons(folder),
  ...(release ? [withoutIconNames] : []),
]

/** `locales/en.json` holds the words that the modules of the first page name; `holdall:words/later` adds the others. */
function splitWords(folder: string, entry: string): Plugin {
  let parts: Promise<Parts> | undefined
  return {
    name: 'holdall-words',
    setup({ onStart, onResolve, onLoad }) {
      onStart(() => {
        parts = undefined
      })
      const split = () => (parts ??= divide(folder, entry))
      onResolve({ filter: /^holdall:words\/later$/ }, ({ path }) => ({ path, namespace: 'holdall-words' }))
      onLoad({ filter: /.*/, namespace: 'holdall-words' }, async () => ({
        contents: `import { addEnglish } from './src-ui/i18n/locale.ts'\naddEnglish(${JSON.stringify((await split()).later)})`,
        resolveDir: folder,
        watchFiles: [join(folder, words)],
      }))
      onLoad({ filter: /locales[\\/]en\.json$/ }, async () => ({
        contents: JSON.stringify((await split()).first),
        loader: 'json',
      }))
    },
  }
}

type Parts = Readonly<{ first: Nested; later: Nested }>

async function divide(folder: string, entry: string): Promise<Parts> {
  const all = JSON.parse(await readFile(join(folder, words), 'utf8')) as Nested
  const flat = flatten(all)
  const sources = await sourcesOf(join(folder, entry))
  const used = usedStems(flat, sources)
  // The first page names all refusals by one template; until the lazy parts are there, the status of an answer says enough.
  const isFirst = (key: string) => used.has(stemOf(key)) && (entry === requestEntry || !key.startsWith('refusal.'))
  await checkLazyParts(sources, (part) => [...usedStems(flat, part)].find((stem) => !used.has(stem)))
  return { first: only(all, isFirst), later: only(all, (key) => !isFirst(key)) }
}

/**
 * Each lazy part that the first page loads brings the words that it names: another part may be loaded later than it.
 * @param laterWordOf names a word that is not of the first page
 * @throws Error that names the part
 */
async function checkLazyParts(first: Sources, laterWordOf: (part: Sources) => string | undefined): Promise<void> {
  for (const [file, text] of first) {
    for (const [, from = ''] of text.matchAll(lazyImport)) {
      const part = await sourcesOf(join(dirname(file), from))
      const word = laterWordOf(part)
      const bringsWords = [...part.values()].some((source) => source.includes("import 'holdall:words/later'"))
      if (word && !bringsWords)
        throw new Error(`${from} of ${file} names the word '${word}': add "import 'holdall:words/later'" to it`)
    }
  }
}

/** The texts of modules by their paths. */
type Sources = ReadonlyMap<string, string>

/** The sources of the modules that the entry imports statically, and of those that they import. */
async function sourcesOf(entry: string): Promise<Sources> {
  const sources = new Map<string, string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (sources.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) continue
    const text = await readFile(file, 'utf8')
    sources.set(file, text)
    for (const [, from, alone] of text.matchAll(staticImport)) waiting.push(join(dirname(file), from ?? alone ?? ''))
  }
  return sources
}

const lazyImport = /(?<!typeof )\bimport\('(\.[^']+)'\)/g
const staticImport = /^(?:import|export)\s+(?!type\b)[^;'"]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'/gm

/** The keys that fit, as they are nested. */
function only(nested: Nested, fits: (key: string) => boolean, prefix = ''): Nested {
  const kept = Object.entries(nested).flatMap(([key, value]): [string, Nested | string][] => {
    if (typeof value === 'string') return fits(prefix + key) ? [[key, value]] : []
    const below = only(value, fits, `${prefix}${key}.`)
    return Object.keys(below).length > 0 ? [[key, below]] : []
  })
  return Object.fromEntries(kept)
}
