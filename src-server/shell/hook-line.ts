// Turns a line of the command runner into a program with its arguments. No file name becomes part of a program's text here.
import { basename } from 'node:path'
import { splitLine } from './split-line.ts'

/** What commands of events learn, in their environment. */
export type HookVariables = Readonly<Record<'FILE' | 'SCOPE' | 'TRIGGER' | 'USERNAME' | 'DESTINATION', string>>

/** A program to start. */
export type HookCommand = Readonly<{ program: string; args: readonly string[] }>

/** A line, and whether the change does not wait for it. */
export type HookLine = Readonly<{ text: string; isBackground: boolean }>

/** A line that ends in `&` runs in the background. */
export function readHookLine(line: string): HookLine {
  const text = line.trim()
  return text.endsWith('&') ? { text: text.slice(0, -1).trim(), isBackground: true } : { text, isBackground: false }
}

/** Whether a line without a shell gets the name of the file as an argument, and not in its environment alone. */
export function takesName(text: string, shell: readonly string[]): boolean {
  if (shell.length > 0) return false
  try {
    const [program, ...words] = splitLine(text)
    const isShell = shellNames.has(basename(program ?? ''))
    return words.some((word, index) => nameIn(word) === 'FILE' && !(isShell && isBeforeCode(words[index - 1])))
  } catch {
    // It cannot be run.
    return false
  }
}

/**
 * With a shell the line is its last argument, as it was written: names reach it through the environment alone. Without one the
 * line is split, and then variables are replaced in the arguments.
 * @param shell the program and the first arguments, such as `sh -c`; empty for none
 * @throws SyntaxError when a quote is not closed, the line is empty, or a value would be read as an option or lead to another folder
 */
export function commandOf(text: string, shell: readonly string[], variables: HookVariables): HookCommand {
  const [program, ...words] = shell.length > 0 ? [...shell, text] : splitLine(text)
  if (!program || text === '') throw new SyntaxError('the line names no program')
  if (shell.length > 0) return { program, args: words }
  const isShell = shellNames.has(basename(program))
  const args = words.map((word, index) => (isShell && isBeforeCode(words[index - 1]) ? word : expanded(word, variables)))
  return { program, args }
}

/** Programs whose argument after `-c` is a program too. */
const shellNames = new Set(['sh', 'ash', 'bash', 'csh', 'dash', 'fish', 'ksh', 'mksh', 'tcsh', 'yash', 'zsh'])

const isBeforeCode = (word: string | undefined) => word !== undefined && /^-\w*c\w*$/.test(word)

/** An argument that is a variable, with at most plain characters around it: `$FILE`, `--to=${DESTINATION}`, `$FILE.bak`. */
const argumentPattern =
  /^([\w./:=@,+%-]*)\$(?:(FILE|SCOPE|TRIGGER|USERNAME|DESTINATION)|\{(FILE|SCOPE|TRIGGER|USERNAME|DESTINATION)\})([./:=@,+%-][\w./:=@,+%-]*)?$/

function nameIn(word: string): keyof HookVariables | undefined {
  const [, , bare, braced] = argumentPattern.exec(word) ?? []
  return (bare ?? braced) as keyof HookVariables | undefined
}

// In text with other characters, such as `rm "$FILE"` for `sh -c`, a name could become code: there the program itself
// reads the variable from its environment.
function expanded(word: string, variables: HookVariables): string {
  const [, before = '', , , after = ''] = argumentPattern.exec(word) ?? []
  const name = nameIn(word)
  if (name === undefined) return word
  if (before === '' && variables[name].startsWith('-')) throw new SyntaxError(`${name} would be read as an option`)
  if (leadsUp({ before, value: variables[name], after })) throw new SyntaxError(`${name} would lead out of a folder`)
  return before + variables[name] + after
}

/** Whether a value makes a segment `..` of the path in an argument. One that the line itself has is the administrator's. */
function leadsUp({ before, value, after }: { before: string; value: string; after: string }): boolean {
  const start = before.split(/[/:=@,+%]/).at(-1) ?? ''
  const end = after.split('/', 1)[0] ?? ''
  return `${start}${value}${end}`.split('/').includes('..')
}
