// The code of a thread that compresses, one piece at a time. It is bundled on its own: see `build.ts`.
import { parentPort } from 'node:worker_threads'
import load from 'bzip2-wasm/bzip2-1.0.8/bzip2.mjs'
import { bzip2Wasm } from './bzip2-wasm.ts'
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

/** Bytes of content in one stream: as much as one block holds. */
const largestBzip2 = 900_000

let loaded: ReturnType<typeof prepare> | undefined

/** One complete stream; streams one after the other are one file. Only in a thread: a stream takes a tenth of a second. */
async function bzip2Stream(content: Uint8Array): Promise<Uint8Array> {
  loaded ??= prepare()
  const { bzip2, from, to, toLength } = await loaded
  bzip2.HEAPU8.set(content, from)
  bzip2.setValue(toLength, largestPacked, 'i32')
  const code = bzip2._BZ2_bzBuffToBuffCompress(to, toLength, from, content.length, 9, 0, 0)
  if (code !== 0) throw new Error(`bzip2 failed with ${code}`)
  return bzip2.HEAPU8.slice(to, to + bzip2.getValue(toLength, 'i32'))
}

/** 1 % and 600 bytes more than the content, which is what the manual of bzip2 asks for. */
const largestPacked = Math.ceil(largestBzip2 * 1.01) + 600

/** The memory is allocated once: bzip2-wasm itself allocates the space of the result twice for each. */
async function prepare() {
  // Its loader reads this variable of CommonJS and looks for the code, although it gets it here.
  Object.assign(globalThis, { __dirname: '' })
  const bzip2 = await load({ wasmBinary: bzip2Wasm, locateFile: (name) => name })
  return { bzip2, from: bzip2._malloc(largestBzip2), to: bzip2._malloc(largestPacked), toLength: bzip2._malloc(4) }
}
