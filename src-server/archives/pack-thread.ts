// The code of a thread that compresses, one piece at a time. It is bundled on its own: see `build.ts`.
import { parentPort } from 'node:worker_threads'
import { bzip2Stream } from './bzip2.ts'
import { snappyChunks } from './snappy.ts'
import { type Contents, type Packed, packInPlace } from './zip-deflate.ts'

/** What makes one block of the compressed stream of one block of content. */
const blockWorks = { bzip2: bzip2Stream, snappy: async (content: Uint8Array) => snappyChunks(content) }

export type BlockWork = keyof typeof blockWorks

export type BlockRequest = Readonly<{ work: BlockWork; content: Uint8Array }>
/** Several contents, one after the other. */
export type ZipRequest = Readonly<{ work: 'zip'; content: Uint8Array }> & Contents
export type PackRequest = BlockRequest | ZipRequest

/** `content` is the memory of the request's, which may be used again. */
export type BlockAnswer = Readonly<{ packed: Uint8Array; content: Uint8Array }>
/** `content` holds the packed contents, one after the other, and is the memory of the request's. */
export type ZipAnswer = Readonly<{ packed: Packed; content: Uint8Array }>
export type PackAnswer<Request extends PackRequest = PackRequest> = Request extends ZipRequest ? ZipAnswer : BlockAnswer

export type SentAnswer = PackAnswer | Readonly<{ error: string }>

parentPort?.on('message', async (request: PackRequest) => {
  const answer: SentAnswer = await pack(request).catch((error: unknown) => ({ error: String(error) }))
  parentPort?.postMessage(answer, 'packed' in answer ? memoryOf(answer) : [])
})

async function pack(request: PackRequest): Promise<PackAnswer> {
  const { content } = request
  if (request.work === 'zip') return { packed: packInPlace(content, request), content }
  return { packed: await blockWorks[request.work](content), content }
}

function memoryOf({ packed, content }: PackAnswer): ArrayBuffer[] {
  const all = packed instanceof Uint8Array ? [packed, content] : [content]
  return all.map(({ buffer }) => buffer as ArrayBuffer)
}
