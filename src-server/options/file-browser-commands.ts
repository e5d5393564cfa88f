// What File Browser's command line has and this one writes otherwise. What is the same under another name stands in the table of commands.
import type { SubcommandRow } from './subcommands.ts'

/** Commands that none of ours is. They may be followed by a password: what follows is not printed. */
const commands: Readonly<Record<string, string>> = {
  'config init': 'A state is made by the first start: write holdall --root DIR.',
  hash: 'No hash is needed here: holdall users passwd NAME asks for a password, or reads it with --password-file.',
  upgrade: 'The state is brought up to date at each start; holdall import brings over the database of File Browser.',
  version: 'Write holdall --version.',
  'rules rm':
    'Rules are counted from 1 here, and not from 0: holdall rules list shows them, holdall rules remove NUMBER removes one.',
  'cmds rm':
    'Commands are counted from 1 here, and not from 0: holdall hooks list shows them, holdall hooks remove EVENT NUMBER removes one.',
}

/** What to write instead of a command of File Browser; undefined for what it has not, or is the same. */
export function insteadOfCommand([first = '', second = '']: readonly string[]): string | undefined {
  const name = [`${first} ${second}`, first].find((one) => Object.hasOwn(commands, one))
  return name && commands[name]
}

const sameFlags: Readonly<Record<string, string>> = {
  viewMode: '--view',
  lockPassword: '--lock-password',
  'sorting.by': '--sort name|size|modified',
  'sorting.asc': '--sort, with - before the word to turn the order round',
}

/** In File Browser's settings they stand beside the others; here they are what new users begin with. */
const ofUsers = /^(perm\.\w+|scope|locale|viewMode|sorting\.\w+|commands)$/

/** What to write instead of an option of File Browser; undefined for another one. @param flag with its dashes */
export function insteadOfFlag({ name, flags = [] }: Pick<SubcommandRow, 'name' | 'flags'>, flag: string): string | undefined {
  const word = flag.replace(/^-+/, '')
  if (name === 'config set' && flag.startsWith('--')) {
    const setting = ofUsers.test(word) ? `defaults.${word}` : word
    return `Settings have no dashes: write holdall config set ${setting} VALUE (holdall config show lists them).`
  }
  if (name === 'hooks list' && /^-+e(vent)?$/.test(flag)) return 'Write holdall hooks list EVENT.'
  if (name === 'rules add' && flag === '-r') return 'Write --regex.'
  if (name === 'users update' && /^-+u(sername)?$/.test(flag)) return 'Write holdall users rename NAME NEW.'
  if (flags.some((own) => own.name === 'user') && /^-+(u(sername)?|i(d)?)$/.test(flag))
    return 'Write --user NAME; an id counts as a name where nobody has it.'
  const [, permission] = /^perm\.(\w+)$/.exec(word) ?? []
  if (permission !== undefined) return `Write --perm +${permission} to give it, and --perm=-${permission} to take it away.`
  return sameFlags[word] && `Write ${sameFlags[word]}.`
}
