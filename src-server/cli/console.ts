// What a command reads and writes for whoever has typed it: the terminal, the standard input, and files of theirs.
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { StartupError } from '../base/startup-error.ts'
import { askHidden, type Terminal } from './ask-hidden.ts'

export type Console = Readonly<{
  /** The path of a file that was named. */
  resolve(file: string): string
  print(text: string): void
  complain(line: string): void
  /** Whether what is printed is seen at once, and not logged. */
  isTerminal: boolean
  /** Asks for a text that is not shown. @throws StartupError without a terminal, or when it is broken off */
  askHidden(question: string): Promise<string>
  /** @param file `-` is the standard input @throws StartupError for one that cannot be read */
  read(file: string): Promise<string>
  /** Writes a new file that only this user may read. @param file `-` is the standard output @throws StartupError when it is there */
  write(file: string, text: string): void
}>

/** @param folder from which the names of files count */
export function processConsole(folder: string): Console {
  const { stdin, stdout, stderr } = process
  return {
    resolve: (file) => resolve(folder, file),
    print: (part) => void stdout.write(part),
    complain: (line) => void stderr.write(`holdall: ${line}\n`),
    isTerminal: stdout.isTTY === true,
    askHidden: (question) => askHidden(question, { input: stdin as Terminal['input'], output: stderr }),
    read: (file) => (file === '-' ? text(stdin) : readNamed(resolve(folder, file))),
    write: (file, content) => void (file === '-' ? stdout.write(content) : writeNew(resolve(folder, file), content)),
  }
}

async function readNamed(file: string): Promise<string> {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartupError(`${file} cannot be read (${reasonOf(cause)}).`, { cause })
  }
}

function writeNew(file: string, content: string): void {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      writeFileSync(fd, content)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (cause) {
    throw new StartupError(`${file} cannot be written (${reasonOf(cause)}): name a new file.`, { cause })
  }
}

const reasonOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error))
