// The code of a thread that compresses, one piece at a time. It is bundled on its own: see `build.ts`.
import { parentPort } from 'node:worker_threads'
import { bzip2Stream } from './bzip2.ts'
import { snappyChunks } from './snappy.ts'
import { type Deflated, deflateAll } from './zip-deflate.ts'

/** `zip`: several contents, one after the other, with these lengths. */
export type PackRequest =
  | Readonly<{ work: 'bzip2' | 'snappy'; content: Uint8Array }>
  | Readonly<{ work: 'zip'; content: Uint8Array; lengths: readonly number[] }>

export type PackAnswer = Readonly<{
  packed: Uint8Array
  /** With `zip`: for each content, in their order. */
  deflated?: readonly Deflated[]
  /** With `zip`: the memory of the contents, which may be used again. */
  content?: Uint8Array
}>

export type SentAnswer = PackAnswer | Readonly<{ error: string }>

parentPort?.on('message', async (request: PackRequest) => {
  const answer: SentAnswer = await pack(request).catch((error: unknown) => ({ error: String(error) }))
  const sent = 'packed' in answer ? [answer.packed, ...(answer.content ? [answer.content] : [])] : []
  parentPort?.postMessage(answer, [...new Set(sent.map(({ buffer }) => buffer as ArrayBuffer))])
})

async function pack(request: PackRequest): Promise<PackAnswer> {
  if (request.work === 'zip') return { ...deflateAll(request.content, request.lengths), content: request.content }
  const { work, content } = request
  return { packed: work === 'bzip2' ? await bzip2Stream(content) : snappyChunks(content) }
}
