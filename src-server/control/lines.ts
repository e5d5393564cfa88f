/** Bytes of a call or an answer. */
const longestLine = 64 * 2 ** 20

/** The lines of a stream, without their ends. What is left without an end is dropped. @throws for one that is too long */
export async function* linesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  for await (const bytes of stream) {
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield Buffer.concat([...parts, bytes.subarray(from, end)]).toString()
      ;[parts, length, from] = [[], 0, end + 1]
    }
    parts.push(bytes.subarray(from))
    length += bytes.length - from
    if (length > longestLine) throw new Error('a line is too long')
  }
}
