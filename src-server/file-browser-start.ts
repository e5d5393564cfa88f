// A start without a state, where something of File Browser may stand: it is named, or brought over with --import-on-start.
import { StartupError } from './base/startup-error.ts'
import { forShell, listed } from './import/plan-notes.ts'
import { type FoundPlaces, findPlaces } from './options/file-browser-places.ts'
import type { Options } from './options/options.ts'

type StartParts = Readonly<{
  options: Options
  /** The working folder, and that of the person. */
  folder: string
  home: string | undefined
  /** Gets the plan of an import. */
  print(text: string): void
  /** Tests replace it: the top folder. */
  top?: string
}>

/** What there is to say; and whether a state was made, with whose options the server is to start. */
export type MetFileBrowser = Readonly<{ sentences: readonly string[]; hasImported: boolean }>

/**
 * Call it where there is no state yet.
 * @throws StartupError when --import-on-start brings nothing: no server is to start then
 */
export async function meetFileBrowser(parts: StartParts): Promise<MetFileBrowser> {
  const { options, folder, home, top } = parts
  const found = findPlaces({ folder, home, named: options.oldDatabases ?? [], ...(top !== undefined && { top }) })
  if (options.importOnStart !== true) return { sentences: sentencesOn(found, options), hasImported: false }
  await importFound(found, parts)
  return { sentences: [], hasImported: true }
}

/** Of a server that has been started its state is replaced: it has no more than the first administrator. */
function sentencesOn({ databases, configs }: FoundPlaces, { root, database }: Options): string[] {
  const paths = `--root ${forShell(root)} --database ${forShell(database)}`
  const how = 'brings its users, rules and links over (with --dry-run it shows what would come)'
  if (databases.length > 0)
    return [
      `File Browser was here: stop this server, and holdall import ${databases.map(forShell).join(' or ')} ${paths} --replace ${how}.`,
    ]
  const [config] = configs
  if (config === undefined) return []
  return [
    `File Browser was here, as ${config} shows: stop this server, and holdall import FILE ${paths} --replace ${how}; FILE is its database.`,
  ]
}

async function importFound({ databases, configs }: FoundPlaces, { options, print }: StartParts): Promise<void> {
  const [database, ...others] = databases
  if (others.length > 0)
    throw new StartupError(
      `--import-on-start cannot tell which database is meant, ${listed(databases)}: name it with holdall import FILE --root DIR.`,
    )
  if (database === undefined)
    throw new StartupError(
      `--import-on-start finds no database of File Browser${configs.length > 0 ? `, nor does ${listed(configs)} name one that is there` : ''}: name it with holdall import FILE --root DIR, or leave the option out.`,
    )
  // Loaded only now: most starts import nothing.
  const { importDatabase } = await import('./import-database.ts')
  const code = await importDatabase({ options, request: { ...asTheyAre, files: [database] }, isStarting: true }, print)
  if (code !== 0)
    throw new StartupError(
      `Nothing was imported, and no server starts: answer what is asked above with holdall import ${forShell(database)} --root ${forShell(options.root)}.`,
    )
}

/** No answers: what must be answered stops. */
const asTheyAre = {
  ...{ isDryRun: false, isJson: false, keepExecute: false, hasWholeNames: false, withoutSettings: false },
  ...{ into: undefined, scopes: undefined, unusable: undefined },
} as const
