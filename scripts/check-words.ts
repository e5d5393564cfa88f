// Fails when an identifier or a file has a name that was replaced: one concept has one name.
import { glob, readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'

/** A pattern of files, the name that must not be declared in them, and its replacement. An old name with a `/` is a path. */
export const replacedNames: readonly (readonly [files: string, old: string, current: string])[] = [
  ['src-server/**', 'Visitor', 'Principal'],
  ['src-server/**', 'admit', 'authorize'],
  ['src-server/**', 'Admitted', 'Grant'],
  ['src-server/**', 'Ticket', 'Capability'],
  ['src-server/**', 'redeem', 'check'],
  ['src-server/**', 'doors', 'contexts'],
  ['src-server/**', 'opener', 'authenticate'],
  ['src-server/**', 'Place', 'FileContext'],
  ['src-server/{access,api,files}/**', 'place', 'context or capability'],
  ['src-server/{disk,files}/**', 'held', 'handle'],
  ['src-server/**', 'Held', 'PathHandle'],
  ['src-server/**', 'Grip', 'HandleStrategy'],
  ['src-server/**', 'Spot', 'ResolvedPath'],
  ['src-server/**', 'confine', 'resolveBeneath'],
  ['src-server/**', 'bounds', 'diskContext'],
  ['src-server/**', 'dress', 'copyAttributes'],
  ['src-server/**', 'spelling', 'nameAliases'],
  ['src-server/**', 'ours', 'protected'],
  ['src-server/**', 'isOurThing', 'isProtected'],
  ['src-server/**', 'inTurns', 'mapLimit'],
  ['src-server/**', 'giveWay', 'yieldToEventLoop'],
  ['src-server/**', 'furnish', 'registerRoutes'],
  ['src-server/**', 'welcome', 'reportFirstAdministrator'],
  ['src-server/**', 'flawOf', 'validationError'],
  ['src-server/**', 'Given', 'OptionSource'],
  ['src-server/**', 'Standing', 'Snapshot'],
  ['src-server/**', 'letGo', 'close or release'],
  ['src-server/**', 'film', 'video'],
  ['src-server/**', 'sound', 'audio'],
  ['src-server/**', 'isFilm', 'isVideo'],
  ['src-server/**', 'checkLoose', 'assertMovable'],
  ['src-server/**', 'orNothing', 'ignoringNotFound or ignoringErrors'],
  ['src-server/**', 'quietly', 'ignoringErrors'],
  ['src-server/**', 'patience', 'shutdownGrace'],
  ['src-server/**', 'Opening', 'OpenOptions'],
  ['src-server/**', 'giveName', 'commitName'],
  ['src-server/**', 'sweep', 'removeStaleTemporaries'],
  ['src-server/**', 'src-server/disk/held.ts', 'path-handle.ts'],
  ['src-server/**', 'src-server/disk/bounds.ts', 'disk-context.ts'],
  ['src-server/**', 'src-server/disk/confine.ts', 'resolve-beneath.ts'],
  ['src-server/**', 'src-server/disk/link-text.ts', 'resolve-beneath.ts'],
  ['src-server/**', 'src-server/disk/dress.ts', 'commit-file.ts'],
  ['src-server/**', 'src-server/disk/give-name.ts', 'rename-no-replace.ts'],
  ['src-server/**', 'src-server/disk/spelling.ts', 'name-aliases.ts'],
  ['src-server/**', 'src-server/disk/own-files.ts', 'protected-paths.ts'],
  ['src-server/**', 'src-server/disk/part-names.ts', 'temporary-names.ts'],
  ['src-server/**', 'src-server/disk/sweep.ts', 'remove-stale-temporaries.ts'],
  ['src-server/**', 'src-server/**/in-turns.ts', 'map-limit.ts'],
  ['src-server/**', 'src-server/**/give-way.ts', 'yield-to-event-loop.ts'],
  ['src-server/**', 'src-server/api/in-parts.ts', 'stream-listing.ts'],
  ['src-server/**', 'src-server/api/own-fields.ts', 'profile-fields.ts'],
  ['src-server/**', 'src-server/api/doors.ts', 'context.ts'],
  ['src-server/**', 'src-server/parts.ts', 'services.ts'],
  ['src-server/**', 'src-server/base/startup-problem.ts', 'startup-error.ts'],
  ['src-server/**', 'src-server/state/folder-problem.ts', 'folder-error.ts'],
  ['src-server/**', 'src-server/options/program-place.ts', 'program-location.ts'],
  ['src-server/**', 'src-server/options/places.ts', 'prepare-paths.ts'],
  ['src-server/**', 'src-server/disk/places.ts', 'path-queries.ts'],
  ['src-server/**', 'StartupProblem', 'StartupError'],
  ['src-server/**', 'ProgramPlace', 'ProgramLocation'],
  ['src-server/options/**', 'givens', 'sources'],
  ['scripts/**', 'scripts/house.ts', 'layers.ts'],
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
  ['src-ui/**', 'headHeight', 'columnHeaderHeight or headingHeight'],
  ['src-ui/**', 'spot', 'savedState'],
  ['src-ui/**', 'stands', 'isEllipsis'],
  ['src-ui/**', 'Way', 'PickerBreadcrumbs'],
  ['src-ui/**', 'patience', 'loadingDelay'],
  ['src-ui/listing/**', 'preview', 'partialListing'],
  ['src-ui/uploads/**', 'Transfer', 'UploadRow'],
  ['src-ui/**', 'linesOf', 'layoutRows, rowsElement or helpRows'],
  ['src-server/**', 'src-server/people/', 'src-server/users/'],
  ['src-server/**', 'Withdrawals', 'AccessRevocation'],
  ['{src-server,test}/**', 'Things', 'ObjectIdentities'],
  ['{src-server,test}/**', 'thingsOn', 'identitiesOn'],
  ['src-server/**', 'src-server/shares/things.ts', 'object-identities.ts'],
  ['src-server/shares/**', 'Locks', 'LinkPasswords'],
  ['{src-server,src-ui,scripts,test}/**', 'Asked', 'RequestContext, or what is asked for'],
  ['src-server/**', 'Need', 'Action'],
  ['src-server/**', 'needs', 'actions'],
  ['src-server/**', 'Lane', 'KindLimiter or DeviceQueue'],
  ['src-server/base/**', 'rest', 'delay'],
  ['src-server/**', 'Outlet', 'ByteQueue'],
  ['{src-server,test}/**', 'OldFile', 'RollbackCopy'],
  ['{src-server,test}/**', 'keepOld', 'keepRollback'],
  ['{src-server,test}/**', 'putBackOld', 'rollBack'],
  ['{src-server,test}/**', 'dropOld', 'dropRollback'],
  ['src-server/**', 'src-server/disk/old-files.ts', 'rollback-copies.ts'],
  ['src-server/**', 'confirmed', 'revalidated'],
  ['src-ui/**', 'Choosing', 'ConflictResolution'],
  ['src-ui/**', 'Saving', 'SaveState'],
  ['src-ui/**', 'Shown', 'CurrentFile, VisibleRows or what is shown'],
  ['src-ui/**', 'There', 'ExistingNames'],
  ['{src-ui,test}/**', 'comeBack', 'restoreFocus, countReturn or reconnect'],
  ['src-server/disk/**', 'takeBack', 'takeUnwritten'],
  ['{src-server,src-ui}/**', 'Look', 'Appearance, Lookup or what is shown'],
  ['{src-server,src-ui}/**', 'Known', 'Loaded, CachedRules or StoredPreview'],
  ['src-ui/**', 'Tick', 'Checkbox'],
  ['src-ui/**', 'Meter', 'ProgressBar'],
  ['src-ui/**', 'Running', 'RunningCommand'],
  ['{scripts,test}/**', 'Place', 'Target'],
  ['test/**', 'PeopleAtWork', 'ClientLoad'],
  ['test/**', 'test/support/people-at-work.ts', 'client-load.ts'],
  ['test/**', 'test/support/blind.ts', 'case-insensitive.ts'],
  ['test/**', 'test/support/hold-pool.ts', 'block-thread-pool.ts'],
]

/** @returns one sentence for each replaced name that is still declared below `cwd` */
export async function wordProblems(cwd: string, rows = replacedNames): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('{src-server,src-ui,scripts,test}/**/*.*', { cwd })) files.push(file)
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
