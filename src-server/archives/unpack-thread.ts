// The code of a thread that unpacks one stream: it takes the packed bytes and gives the content piece by piece, each when it is asked
// for. It is bundled on its own: see `build.ts`.
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { Failure } from '../base/failure.ts'
import { bunzip2 } from './bunzip2.ts'
import { PackedInput, type Unpack } from './packed-input.ts'
import { lz4Unpacker } from './unlz4.ts'
import { unsnappy } from './unsnappy.ts'

const unpackers = { bzip2: async () => bunzip2, lz4: lz4Unpacker, snappy: async () => unsnappy }

export type Packing = keyof typeof unpackers

/** What the thread gets once: what to unpack, the port for all that follows, and a counter of what was sent there. */
export type UnpackRequest = Readonly<{ packing: Packing; port: MessagePort; sent: Int32Array }>

/** What it tells: that it needs packed bytes, the next piece, that all was given, what is wrong with the bytes, or with it. */
export type UnpackAnswer = 'more' | Uint8Array | 'end' | Readonly<{ refusal: string }> | Readonly<{ error: string }>

/** What it is told in answer: packed bytes, undefined at their end; or that it may go on. */
export type UnpackGiven = Readonly<{ bytes: Uint8Array | undefined }> | 'next'

parentPort?.once('message', async ({ packing, port, sent }: UnpackRequest) => {
  port.postMessage(await unpacked(await unpackers[packing](), { port, sent }))
  port.close()
})

type Channel = Omit<UnpackRequest, 'packing'>

async function unpacked(unpack: Unpack, channel: Channel): Promise<UnpackAnswer> {
  try {
    const input = new PackedInput(() => {
      channel.port.postMessage('more')
      const given = received(channel)
      return given === 'next' ? undefined : given.bytes
    })
    for (const piece of unpack(input)) {
      channel.port.postMessage(piece, [piece.buffer as ArrayBuffer])
      received(channel)
    }
    return 'end'
  } catch (error) {
    return error instanceof Failure ? { refusal: error.template } : { error: String(error) }
  }
}

/** Waits without giving up the thread: a decoder takes bytes in the midst of its work. */
function received({ port, sent }: Channel): UnpackGiven {
  for (;;) {
    // What comes from here on changes it. It may be told late of what was taken already.
    const before = Atomics.load(sent, 0)
    const come = receiveMessageOnPort(port)
    if (come) return come.message as UnpackGiven
    Atomics.wait(sent, 0, before)
  }
}
