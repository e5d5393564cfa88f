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

/**
 * Whether the name of the file may become something else than one argument of a program that is written as it was meant: an argument that
 * is replaced here, or a text for a shell that has it in another way than as exactly `"$FILE"`, which splits into words. Only the name is
 * in question: the other variables hold nothing that a stranger has chosen.
 */
export function takesName(text: string, shell: readonly string[]): boolean {
  if (shell.length > 0) return splitsName(text)
  try {
    const [program, ...words] = splitLine(text)
    const isShell = shellNames.has(basename(program ?? ''))
    return words.some((word, index) => {
      const isCode = isShell && isBeforeCode(words[index - 1])
      // Other words with a variable in them may be texts for a shell too, as in `env sh -c 'rm $FILE'` and `cmd /c echo %FILE%`.
      return (!isCode && nameIn(word) === 'FILE') || (hasVariable(word) && splitsName(word))
    })
  } catch {
    // It cannot be run.
    return false
  }
}

/** Whether a text for a shell has the name of the file in another way than as a whole word `"$FILE"` or `"${FILE}"`. What is hard to tell counts. */
function splitsName(code: string): boolean {
  if (!namePattern.test(code)) return false
  // With these it takes a shell to know where a quote ends, and what comes of a command that is replaced is split again.
  if (/[\\`#\n\r]|\$\(|\(\(/.test(code)) return true
  // The name may have got another name, which splits: `for F in "$FILE"; do rm $F; done`, `set -- "$FILE"; rm $1`.
  const parts = [...code.matchAll(/"\$(?:FILE|\{FILE\})"|"[^"]*"|'[^']*'|[^"']+|["']/g)]
  const isVariable = parts.some(([part]) => part.includes('$') && !part.startsWith('"'))
  if (isVariable || takesText.test(code) || /-\w*c\s+"\$/.test(code)) return true
  return parts.some(({ 0: part, index }) => {
    if (!namePattern.test(part)) return false
    const [before = '', after = ''] = [code[index - 1], code[index + part.length]]
    return !/^"\$(?:FILE|\{FILE\})"$/.test(part) || !/^[\s;|&<>(]?$/.test(before) || !/^[\s;|&<>)]?$/.test(after)
  })
}

/** Commands of shells that split what they are given, or read it as code. */
const takesText = /(?:^|[\s;|&({'"])(?:eval|let|mapfile|read|readarray|source|trap|xargs|\.)(?=[\s;]|$)/

/** On Windows names of variables have letters of either case: `%file%`, `!file!`, `$env:file`. */
const namePattern = /(?:(?<![A-Za-z0-9_])FILE|(?:[%!]|[Ee][Nn][Vv]:\\?)[Ff][Ii][Ll][Ee])(?![A-Za-z0-9_])/

const hasVariable = (word: string) => /[$%!]|env:/i.test(word)

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
