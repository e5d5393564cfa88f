// Unpacks streams in threads of their own: the work would hold up everything else of the process.
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { Failure } from '../base/failure.ts'
import { startThread } from '../base/threads.ts'
import type { Packing, UnpackAnswer, UnpackGiven, UnpackRequest } from './unpack-thread.ts'

/** The content of a packed stream, in pieces. No more is unpacked than is taken, and one piece. @throws Failure('invalid') */
export async function* unpackedInThread(
  packing: Packing,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = bytes[Symbol.asyncIterator]()
  const thread = startThread('archives/unpack-thread.ts')
  const { port1: port, port2 } = new MessageChannel()
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const answers = new Answers(port)
  thread.once('error', (error) => answers.add({ error: String(error) }))
  thread.once('exit', () => {
    // It may be told before what the thread has said last.
    for (let come = receiveMessageOnPort(port); come; come = receiveMessageOnPort(port)) answers.add(come.message as UnpackAnswer)
    answers.add({ error: 'the thread ended' })
  })
  thread.postMessage({ packing, port: port2, sent } satisfies UnpackRequest, [port2])
  const give = (given: UnpackGiven) => {
    port.postMessage(given)
    Atomics.add(sent, 0, 1)
    Atomics.notify(sent, 0)
  }
  try {
    for (;;) {
      const answer = await answers.next()
      if (answer === 'end') return
      if (answer === 'more') {
        const { done, value } = await source.next()
        give({ bytes: done ? undefined : value })
        continue
      }
      if ('refusal' in answer) throw new Failure('invalid', answer.refusal)
      if ('error' in answer) throw new Error(answer.error)
      yield answer
      give('next')
    }
  } finally {
    port.close()
    await thread.terminate()
    await source.return?.()
  }
}

/** What the thread tells, in its order. */
class Answers {
  readonly #come: UnpackAnswer[] = []
  #wanted: ((answer: UnpackAnswer) => void) | undefined

  constructor(port: MessagePort) {
    port.on('message', (answer: UnpackAnswer) => this.add(answer))
  }

  add(answer: UnpackAnswer): void {
    const wanted = this.#wanted
    this.#wanted = undefined
    if (wanted) wanted(answer)
    else this.#come.push(answer)
  }

  async next(): Promise<UnpackAnswer> {
    const first = this.#come.shift()
    if (first !== undefined) return first
    return new Promise((resolve) => {
      this.#wanted = resolve
    })
  }
}
