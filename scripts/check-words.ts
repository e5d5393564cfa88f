// Fails when an identifier or a file is declared under a name that was replaced: one thing has one name.
import { glob, readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'

/** Files, the name that must not be declared in them, and the name that replaces it. An old name with a `/` is a path. */
export const replacedNames: readonly (readonly [files: string, old: string, current: string])[] = [
  ['src-ui/**', 'src-ui/state/', 'the folder of a feature, or src-ui/core/'],
  ['src-ui/**', 'src-ui/commands/', "a feature's commands.ts"],
  ['src-ui/**', 'src-ui/features/', 'src-ui/<feature>/'],
  ['src-ui/**', 'src-ui/screens/', 'the folder of a feature'],
  ['src-ui/**', 'src-ui/**/late-*', 'lazy-*'],
  ['src-ui/**', 'src-ui/**/hands.css', 'entry-states.css'],
  ['src-ui/**', 'src-ui/**/doors.css', 'login.css'],
  ['src-ui/listing/**', 'here', 'currentPath'],
  ['src-ui/listing/**', 'found', 'listingState'],
  ['src-ui/**', 'Found', 'ListingState'],
  ['src-ui/**', 'Order', 'SortedEntries'],
  ['src-ui/{core,listing}/**', 'orderOf', 'toSortedEntries'],
  ['src-ui/listing/**', 'visit', 'load'],
  ['src-ui/listing/**', 'look', 'fetchListing'],
  ['src-ui/**', 'lookOnce', 'fetchListing'],
  ['src-ui/listing/**', 'take', 'apply'],
  ['src-ui/**', 'foresee', 'showPartial'],
  ['src-ui/listing/listing.ts', 'leave', 'reset'],
  ['src-ui/**', 'Wish', 'RevealRequest'],
  ['src-ui/**', 'revealed', 'revealRequest'],
  ['src-ui/**', 'arrived', 'highlighted (listing) or endBatch (uploads)'],
  ['src-ui/**', 'Spot', 'ScrollState'],
  ['src-ui/**', 'entryName', 'historyKey'],
  ['src-ui/**', 'arriveAt', 'initialScrollState'],
  ['src-ui/**', 'during', 'trackTask'],
  ['src-ui/**', 'Work', 'Task'],
  ['src-ui/**', 'heed', 'handleAuthHeaders'],
  ['src-ui/api/**', 'reach', 'request'],
  ['src-ui/core/storage.ts', 'keep', 'setItem'],
  ['src-ui/**', 'recall', 'getItem'],
  ['src-ui/**', 'Pace', 'Throttle'],
  ['src-ui/**', 'Ticker', 'Clock'],
  ['src-ui/**', 'Taken', 'NameConflict'],
  ['src-ui/**', 'askAbout', 'askConflicts'],
  ['src-ui/**', 'NamesThere', 'ExistingNames'],
  ['src-ui/uploads/upload-queue.ts', 'expect', 'beginBatch'],
  ['src-ui/uploads/upload-queue.ts', 'hold', 'pause'],
  ['src-ui/uploads/upload-queue.ts', 'release', 'resume'],
  ['src-ui/**', 'heads', 'columnHeaders'],
  ['src-ui/**', 'stands', 'isEllipsis'],
  ['src-ui/**', 'Way', 'PickerBreadcrumbs'],
  ['src-ui/**', 'patience', 'loadingDelay'],
  ['src-ui/listing/**', 'preview', 'partialListing'],
  ['src-ui/uploads/**', 'Transfer', 'UploadRow'],
  ['src-ui/**', 'linesOf', 'layoutRows, rowsElement or helpRows'],
]

/** @returns one sentence for each replaced name that is still declared below `cwd` */
export async function wordProblems(cwd: string, rows = replacedNames): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('src-{server,ui}/**/*.*', { cwd })) files.push(file)
  const texts = await Promise.all(files.map((file) => readFile(join(cwd, file), 'utf8')))
  return rows.flatMap(([pattern, old, current]) =>
    files
      .filter((file) => matchesGlob(file, pattern))
      .filter((file) => (old.includes('/') ? isAt(file, old) : declares(texts[files.indexOf(file)] ?? '', old)))
      .map((file) => `${file} declares ${old}: the name is ${current}`),
  )
}

const isAt = (file: string, path: string): boolean => matchesGlob(file, path.endsWith('/') ? `${path}**` : path)

/** Whether a source declares a variable, a function, a type or a member with this name. Comments and strings do not count. */
function declares(source: string, name: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const declaration = new RegExp(`\\b(?:const|let|var|function\\*?|class|type|interface|enum)\\s+${name}\\b`)
  const member = new RegExp(
    `^\\s+(?:(?:readonly|static|async|get|set|private|protected)\\s+)*#?${name}\\??\\s*(?:[:=]|\\([^)]*\\)\\s*(?::[^={]*)?\\{)`,
    'm',
  )
  return declaration.test(code) || member.test(code)
}

if (import.meta.main) {
  const problems = await wordProblems(process.cwd())
  console.log(problems.join('\n') || 'No replaced name is declared.')
  process.exitCode = problems.length ? 1 : 0
}
