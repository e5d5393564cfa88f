import { availableParallelism } from 'node:os'
import { WorkerPool } from '../base/worker-pool.ts'
import type { PackAnswer, PackRequest, SentAnswer } from './pack-thread.ts'

/** Threads of the process: more than processors would only take time from everything else. */
const mostThreads = Math.min(availableParallelism(), 4)

/** The threads that compress for all archives. */
const threads = new WorkerPool<PackRequest, SentAnswer>('archives/pack-thread.ts', mostThreads)

/** Packs in a thread. @param request whose content is transferred: the caller must not use it afterwards */
export async function packInThread<Request extends PackRequest>(request: Request): Promise<PackAnswer<Request>> {
  const answer = await threads.run(request, [request.content.buffer as ArrayBuffer])
  if ('error' in answer) throw new Error(answer.error)
  return answer as PackAnswer<Request>
}
