// What completes the command line in a shell, from the table of commands.
import { StartupError } from '../base/startup-error.ts'
import { optionRows } from './option-table.ts'
import { flagsOf, type SubcommandFlag, type SubcommandRow, subcommandRows } from './subcommands.ts'

const shells = ['bash', 'zsh', 'fish'] as const

type Word = Readonly<{ word: string; help: string }>

/** The script for a shell. @throws StartupError for another one */
export function completionsFor(shell: string): string {
  const known = shells.find((one) => one === shell)
  if (known === undefined) throw new StartupError(`There are no completions for "${shell}": they are for ${shells.join(', ')}.`)
  return { bash, zsh, fish }[known]()
}

const groupOf = ({ name }: SubcommandRow) => name.split(' ')[0] ?? ''
const restOf = ({ name }: SubcommandRow) => name.split(' ')[1]

/** The words that may come first. Of a group the help names its commands. */
function firstWords(): Word[] {
  return [...new Set(subcommandRows.map(groupOf))].map((word) => {
    const rows = subcommandRows.filter((row) => groupOf(row) === word)
    const [single] = rows
    return { word, help: single?.name === word ? single.help : rows.map(restOf).join(', ') }
  })
}

/** Those that may come second. */
function secondWords(first: string): Word[] {
  if (first === 'help') return firstWords()
  if (first === 'completions') return shells.map((word) => ({ word, help: `for ${word}` }))
  return subcommandRows.flatMap((row) => (groupOf(row) === first ? (restOf(row) ?? []) : [])).map((word) => wordOf(first, word))
}

function wordOf(first: string, word: string): Word {
  return { word, help: subcommandRows.find(({ name }) => name === `${first} ${word}`)?.help ?? '' }
}

const serverFlags: readonly SubcommandFlag[] = optionRows
const helpFlag: SubcommandFlag = { name: 'help', help: 'say what the command takes' }

/** Those of a command, and of the server, which may stand beside them. */
function allFlags(row: SubcommandRow): readonly SubcommandFlag[] {
  const own = [...flagsOf(row), helpFlag]
  const ofServer = row.reads === 'nothing' ? [] : optionRows.filter(({ flagOnly }) => flagOnly !== true)
  return [...own, ...ofServer.filter(({ name }) => !own.some((flag) => flag.name === name))]
}

const dashed = (flags: readonly SubcommandFlag[]) => flags.map(({ name }) => `--${name}`).join(' ')
const wordsIn = (words: readonly Word[]) => words.map(({ word }) => word).join(' ')

/** The pattern of a shell for the first two words of a command. */
const patternOf = (row: SubcommandRow) => (restOf(row) === undefined ? `'${row.name} '*` : `'${row.name}'`)

const groupsWithMore = () => firstWords().filter(({ word }) => secondWords(word).length > 0)

/** Where nothing fits, bash completes names of files. */
function bash(): string {
  const seconds = groupsWithMore().map(({ word }) => `      ${word}) words='${wordsIn(secondWords(word))}' ;;`)
  const flags = subcommandRows.map((row) => `      ${patternOf(row)}) words='${dashed(allFlags(row))}' ;;`)
  return `# Completions of holdall for bash: source <(holdall completions bash)
_holdall() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  if [[ $cur == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${flags.join('\n')}
      *) words='${dashed(serverFlags)}' ;;
    esac
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words='${wordsIn(firstWords())}'
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case \${COMP_WORDS[1]} in
${seconds.join('\n')}
    esac
  fi
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$cur"))
  return 0
}
complete -o default -F _holdall holdall
`
}

const quotedForZsh = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const zshWords = (words: readonly Word[]) => words.map(({ word, help }) => quotedForZsh(`${word}:${help}`)).join(' ')
const zshFlags = (flags: readonly SubcommandFlag[]) => zshWords(flags.map(({ name, help }) => ({ word: `--${name}`, help })))

function zsh(): string {
  const seconds = groupsWithMore().map(({ word }) => `      ${word}) all=(${zshWords(secondWords(word))}) ;;`)
  const flags = subcommandRows.map((row) => `      ${patternOf(row)}) all=(${zshFlags(allFlags(row))}) ;;`)
  return `#compdef holdall
# Completions of holdall for zsh: holdall completions zsh > ~/.zfunc/_holdall, with ~/.zfunc in fpath before compinit
_holdall() {
  local -a all
  if [[ $PREFIX == -* ]]; then
    case "$words[2] $words[3]" in
${flags.join('\n')}
      *) all=(${zshFlags(serverFlags)}) ;;
    esac
  elif (( CURRENT == 2 )); then
    all=(${zshWords(firstWords())})
  elif (( CURRENT == 3 )); then
    case $words[2] in
${seconds.join('\n')}
    esac
  fi
  if (( $#all )); then _describe holdall all; else _files; fi
}
if [[ $funcstack[1] == _holdall ]]; then _holdall "$@"; else compdef _holdall holdall; fi
`
}

const quotedForFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const fishLine = (condition: string, rest: string) => `complete -c holdall -n ${quotedForFish(condition)} ${rest}`
const seen = (words: string) => `__fish_seen_subcommand_from ${words}`

function fish(): string {
  const firsts = firstWords().map(({ word, help }) =>
    fishLine('__fish_use_subcommand', `-f -a ${word} -d ${quotedForFish(help)}`),
  )
  const server = serverFlags.map((flag) => fishLine('__fish_use_subcommand', fishFlag(flag)))
  const seconds = groupsWithMore().flatMap(({ word: first }) => {
    const words = secondWords(first)
    const condition = `${seen(first)}; and not ${seen(wordsIn(words))}`
    return words.map(({ word, help }) => fishLine(condition, `-f -a ${word} -d ${quotedForFish(help)}`))
  })
  const flags = subcommandRows.flatMap((row) => {
    const condition = row.name.split(' ').map(seen).join('; and ')
    return allFlags(row).map((flag) => fishLine(condition, fishFlag(flag)))
  })
  return `# Completions of holdall for fish: holdall completions fish > ~/.config/fish/completions/holdall.fish
${[...firsts, ...server, ...seconds, ...flags].join('\n')}
`
}

/** Only what names a file or a folder completes them. */
function fishFlag({ name, value, help }: SubcommandFlag): string {
  const takes = value === undefined ? '' : /FILE|DIR|PATH/.test(value) ? '-r ' : '-x '
  return `-l ${name} ${takes}-d ${quotedForFish(help)}`
}
