import { StartupError } from '../base/startup-error.ts'

export type Terminal = Readonly<{
  input: NodeJS.ReadableStream & Readonly<{ isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }>
  output: Readonly<{ write(text: string): unknown }>
}>

/** What was typed after the end of a line, for the next question. */
const typedAhead = new WeakMap<object, string>()

/**
 * Asks a question on a terminal, which shows nothing of the answer.
 * @throws StartupError without a terminal, and when Ctrl-C or Ctrl-D breaks it off
 */
export async function askHidden(question: string, { input, output }: Terminal): Promise<string> {
  if (input.isTTY !== true || input.setRawMode === undefined)
    throw new StartupError('there is no terminal to ask for the password: use --password-file FILE, or - for the standard input.')
  output.write(question)
  input.setRawMode(true)
  input.setEncoding('utf8')
  try {
    return await lineFrom(input)
  } finally {
    input.setRawMode(false)
    input.pause()
    output.write('\n')
  }
}

function lineFrom(input: Terminal['input']): Promise<string> {
  return new Promise((resolve, reject) => {
    let line: readonly string[] = []
    const end = (work: () => void) => {
      input.removeListener('data', take)
      input.removeListener('end', broken)
      work()
    }
    const broken = () => end(() => reject(new StartupError('no password was typed: nothing was changed.')))
    const take = (chunk: string | Buffer) => {
      const characters = [...String(chunk)]
      for (const [index, character] of characters.entries()) {
        if (character === '\x03' || (character === '\x04' && line.length === 0)) return broken()
        if (character === '\r' || character === '\n') {
          typedAhead.set(input, characters.slice(index + 1).join(''))
          const typed = line.join('')
          return end(() => resolve(typed))
        }
        // Backspace, Ctrl-U, and other control characters, which no password has.
        if (character === '\x7f' || character === '\b') line = line.slice(0, -1)
        else if (character === '\x15') line = []
        else if (character >= ' ') line = [...line, character]
      }
    }
    input.on('data', take)
    input.on('end', broken)
    const ahead = typedAhead.get(input) ?? ''
    typedAhead.delete(input)
    if (ahead !== '') take(ahead)
    input.resume()
  })
}
