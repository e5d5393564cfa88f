import type { EndpointName, Query, Reply } from '../../src-server/contract/endpoints.ts'
import { type AnyCallOptions, answerTo, HttpFailure, type Problem, problemFailure, unreached } from './http.ts'

type LineOptions<N extends EndpointName> = {
  /** The value of the `*`, not encoded. */
  path: string
  signal: AbortSignal
  /** Called with each line but the last, as it arrives. */
  onLine(line: object): void
} & (Query<N> extends undefined ? object : { query?: Query<N> })

/**
 * Calls the server and reads the answer line by line (`application/x-ndjson`) while the server works.
 * @returns the last line, which is the answer
 * @throws HttpFailure also for a failure after the first line; the signal's reason when it is aborted
 */
export async function callInLines<N extends EndpointName>(name: N, { onLine, ...given }: LineOptions<N>): Promise<Reply<N>> {
  let last: object | undefined
  for await (const lines of readLines(name, given as ReadOptions<N>)) {
    for (const line of lines) {
      if (last) onLine(last)
      last = line
    }
  }
  if (!last) throw new HttpFailure(0, 'The server sent no answer.')
  return last as Reply<N>
}

type ReadOptions<N extends EndpointName> = Omit<LineOptions<N>, 'onLine'>

/**
 * The lines of an answer, those together that arrive together. Empty lines, which only keep the connection, are left out.
 * @throws HttpFailure also for a failure after the first line; the signal's reason when it is aborted
 */
export async function* readLines<N extends EndpointName>(name: N, given: ReadOptions<N>): AsyncGenerator<object[]> {
  const response = await answerTo(name, {
    ...(given as AnyCallOptions),
    accept: 'application/x-ndjson, application/problem+json',
  })
  for await (const texts of textLines(response, given.signal)) {
    const lines = texts.filter((text) => text !== '').map((text) => JSON.parse(text) as object)
    const failed = lines.find((line) => 'error' in line)
    if (failed) {
      const { error } = failed as { error: Problem & { status: number } }
      throw problemFailure(error.status, error)
    }
    yield lines
  }
}

async function* textLines(response: Response, signal: AbortSignal): AsyncGenerator<string[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const part = await reader?.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw unreached()
    })
    if (!part || part.done) break
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest) yield [rest]
}
