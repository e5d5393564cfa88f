// The code of a thread that compresses, one piece at a time. It is bundled on its own: see `build.ts`.
import { parentPort } from 'node:worker_threads'
import { bzip2Stream } from './bzip2.ts'
import { snappyChunks } from './snappy.ts'
import { type Deflated, deflateAll } from './zip-deflate.ts'

/** What makes one block of the compressed stream of one block of content. */
const blockWorks = { bzip2: bzip2Stream, snappy: async (content: Uint8Array) => snappyChunks(content) }

export type BlockWork = keyof typeof blockWorks

/** `zip`: several contents, one after the other, with these lengths. */
export type PackRequest =
  | Readonly<{ work: BlockWork; content: Uint8Array }>
  | Readonly<{ work: 'zip'; content: Uint8Array; lengths: readonly number[] }>

export type PackAnswer = Readonly<{
  packed: Uint8Array
  /** With `zip`: for each content, in their order. */
  deflated?: readonly Deflated[]
  /** The memory of the content, which may be used again. */
  content: Uint8Array
}>

export type SentAnswer = PackAnswer | Readonly<{ error: string }>

parentPort?.on('message', async (request: PackRequest) => {
  const answer: SentAnswer = await pack(request).catch((error: unknown) => ({ error: String(error) }))
  const sent = 'packed' in answer ? [answer.packed, answer.content] : []
  parentPort?.postMessage(answer, [...new Set(sent.map(({ buffer }) => buffer as ArrayBuffer))])
})

async function pack(request: PackRequest): Promise<PackAnswer> {
  const { content } = request
  if (request.work === 'zip') return { ...deflateAll(content, request.lengths), content }
  return { packed: await blockWorks[request.work](content), content }
}
