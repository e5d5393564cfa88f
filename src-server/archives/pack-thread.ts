// The code of a thread that compresses, one piece at a time. It is bundled on its own: see `build.ts`.
import { parentPort } from 'node:worker_threads'
import { bzip2Stream } from './bzip2.ts'
import { snappyChunks } from './snappy.ts'

export type PackWork = 'bzip2' | 'snappy'
export type PackRequest = Readonly<{ work: PackWork; content: Uint8Array }>
export type PackAnswer = Readonly<{ packed: Uint8Array } | { error: string }>

parentPort?.on('message', async (request: PackRequest) => {
  const answer = await pack(request).catch((error: unknown) => ({ error: String(error) }))
  parentPort?.postMessage(answer, 'packed' in answer ? [answer.packed.buffer as ArrayBuffer] : [])
})

async function pack({ work, content }: PackRequest): Promise<PackAnswer> {
  return { packed: work === 'bzip2' ? await bzip2Stream(content) : snappyChunks(content) }
}
