// The flags and FB_* variables of File Browser 2.0 to 2.63, in the spelling of earlier releases (`cache-dir`) and of later ones
// (`cacheDir`). Where they mean the same as an option here they count as that one, and a line names it. None of them enables more.
import { StartupError } from '../base/startup-error.ts'
import type { Environment } from './environment.ts'
import { nearest } from './nearest.ts'
import type { OptionSource, OptionValues } from './option-source.ts'
import { type OptionName, optionRows, variableOf } from './option-table.ts'

type OldOption = Readonly<{
  names: readonly string[]
  /** The letter of its short form. */
  short?: string
  isSwitch?: boolean
  /** The option here that means the same. */
  same?: OptionName
  /** Only a flag sets it, there as here. */
  flagOnly?: boolean
  /** The value here. */
  value?(text: string): string
  /** Where no option means the same: what there is to say, which follows its name in a sentence. @throws StartupError */
  says?(given: OptionSource): string
}>

const table: readonly OldOption[] = [
  { names: ['address'], short: 'a', same: 'address' },
  { names: ['baseurl', 'baseURL'], short: 'b', same: 'baseurl', value: rooted },
  { names: ['cache-dir', 'cacheDir'], same: 'cache-dir' },
  { names: ['cert'], short: 't', same: 'cert' },
  { names: ['config'], short: 'c', same: 'config', flagOnly: true },
  { names: ['database'], short: 'd', same: 'database' },
  { names: ['disable-exec', 'disableExec'], isSwitch: true, says: commandsOff },
  {
    names: ['disable-image-resolution-calc', 'disableImageResolutionCalc'],
    isSwitch: true,
    says: () => 'has no counterpart: pictures are measured only where that is asked for',
  },
  { names: ['disable-preview-resize', 'disablePreviewResize'], isSwitch: true, same: 'no-resize-preview' },
  { names: ['disable-thumbnails', 'disableThumbnails'], isSwitch: true, same: 'no-thumbnails' },
  {
    names: ['disable-type-detection-by-header', 'disableTypeDetectionByHeader'],
    isSwitch: true,
    says: () => 'has no counterpart: the content of a file is looked at where its name does not tell its type',
  },
  {
    names: ['follow-external-symlinks', 'followExternalSymlinks'],
    isSwitch: true,
    says: () => 'opens nothing: links out of the root are followed only into folders that --links-into names',
  },
  {
    names: ['img-processors', 'imageProcessors'],
    says: () => 'has no counterpart: how many pictures are made at a time is not chosen',
  },
  { names: ['key'], short: 'k', same: 'key' },
  { names: ['log'], short: 'l', same: 'log' },
  { names: ['noauth'], isSwitch: true, says: passwordsOn },
  { names: ['password'], same: 'password' },
  { names: ['port'], short: 'p', same: 'port' },
  {
    names: ['redis-cache-url', 'redisCacheUrl'],
    says: () => 'has no counterpart: previews are kept in the folder that --cache-dir names',
  },
  { names: ['root'], short: 'r', same: 'root' },
  { names: ['socket'], same: 'socket' },
  { names: ['socket-perm', 'socketPerm'], says: socketMode },
  { names: ['token-expiration-time', 'tokenExpirationTime'], same: 'token-lifetime', value: withoutZeros },
  { names: ['username'], same: 'username' },
]

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

/** Go writes `8h0m0s`, people `8h`. */
function withoutZeros(time: string): string {
  return time.replaceAll(/(?<!\d)0[hms]/g, '')
}

function commandsOff({ value }: OptionSource): string {
  return value === 'true'
    ? 'says what holds anyway: commands run only with --enable-exec'
    : 'enables nothing: commands run only with --enable-exec'
}

/** There it counted for a new database alone; here it lets everybody in at each start. */
function passwordsOn({ value }: OptionSource): string {
  return value === 'true'
    ? 'counted for a new database alone, and lets nobody in here: --noauth lets everybody in at each start'
    : 'says what holds anyway, without --noauth'
}

function socketMode({ value, from }: OptionSource): string {
  if ((modeIn(value) & 0o660) === 0o660) return 'has no counterpart: owner and group may connect to --socket, and nobody else'
  throw new StartupError(
    `${from} ${value} cannot be kept, as owner and group may connect to --socket: leave it out, and put the socket into a folder that those alone may enter who may connect.`,
  )
}

/** As Go reads a number: octal after a zero. */
function modeIn(text: string): number {
  if (/^0o?[0-7]+$/.test(text)) return Number.parseInt(text.replace(/^0o?/, ''), 8)
  return /^[1-9]\d*$/.test(text) ? Number(text) : 0
}

/** All texts that Go takes for true and for false. */
const truths: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, 'true'])),
  ...Object.fromEntries(['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, 'false'])),
}

/** An option here with its value, or none; and what is said of it. */
export type Understood = Readonly<{ option?: OptionName; value: string; says: string }>

/** @param name of a flag, without its dashes: `cacheDir` */
export const oldOption = (name: string): OldOption | undefined => table.find(({ names }) => names.includes(name))

/** The options by name, each for `parseArgs`. */
export const oldFlags: Readonly<Record<string, { type: 'string' | 'boolean' }>> = Object.fromEntries(
  table.flatMap(({ names, isSwitch }) => names.map((name) => [name, { type: isSwitch ? 'boolean' : 'string' }])),
)

/** The letters that File Browser has for an option which is called the same here. */
export const oldLetter = (name: string): string | undefined => table.find(({ names }) => names[0] === name)?.short

/** What an option stands for here. @param called how an option here is named to the reader @throws StartupError */
export function understood(
  { isSwitch, same, value, says }: OldOption,
  given: OptionSource,
  called: (name: OptionName) => string,
): Understood {
  const text = isSwitch ? truths[given.value] : given.value
  if (text === undefined) throw new StartupError(`${given.from} is "${given.value}": it must be true or false.`)
  if (same === undefined) return { value: text, says: `${given.from} of File Browser ${says?.({ ...given, value: text })}.` }
  return { option: same, value: value?.(text) ?? text, says: `${given.from} of File Browser counts as ${called(same)}.` }
}

const prefix = 'FB_'

/** `FB_CACHE_DIR`, `FB_CACHE-DIR` and `FB_CACHEDIR` are one. */
const bare = (name: string) => name.replaceAll(/[-_]/g, '').toLowerCase()

const inEnvironment = table.filter(({ flagOnly }) => flagOnly !== true)

/**
 * Reads the FB_* variables, and removes that with a hash of a password. An empty one counts as unset.
 * @param outranking names what sets an option here and counts more
 * @throws StartupError
 */
export function readOldEnvironment(
  env: Environment,
  outranking: (name: OptionName) => string | undefined,
): { source: OptionValues; warnings: string[] } {
  const source: Partial<Record<OptionName, OptionSource[]>> = {}
  const warnings: string[] = []
  for (const from of Object.keys(env).filter((name) => name.startsWith(prefix))) {
    const value = env[from] ?? ''
    const old = inEnvironment.find(({ names }) => names.some((name) => bare(name) === bare(from.slice(prefix.length))))
    if (old === undefined) warnings.push(...misspelled(from))
    if (old?.same === 'password') delete env[from]
    if (old === undefined || value === '') continue
    const { option, value: read, says } = understood(old, { value, from }, variableFor)
    const other = option && outranking(option)
    warnings.push(other === undefined ? says : `${from} of File Browser is not used, as ${other} is given.`)
    if (option !== undefined) source[option] = [{ value: read, from }]
  }
  return { source, warnings }
}

function variableFor(name: OptionName): string {
  const row = optionRows.find((candidate) => candidate.name === name)
  return (row && variableOf(row)) ?? `--${name}`
}

/** Other programs have variables with this beginning, too: only what looks like one of File Browser's is named. */
function misspelled(name: string): string[] {
  const known = inEnvironment.map(({ names }) => (names[0] ?? '').replaceAll('-', '_').toUpperCase())
  const near = nearest(name.slice(prefix.length), known)
  return near === undefined ? [] : [`There is no variable ${name}: did you mean ${prefix}${near}?`]
}
