import type { Socket } from 'node:net'

/** Whether the client of a socket takes no more. The buffers of the system on both sides fill by and by: they are full when several looks in a row find the same. */
export function takesNoMore(find: () => Socket | undefined): () => boolean {
  let [taken, looks] = [-1, 0]
  return () => {
    const socket = find()
    const now = socket?.writableNeedDrain ? socket.bytesWritten - socket.writableLength : -1
    looks = now === taken && now > 0 ? looks + 1 : 0
    taken = now
    return looks === 10
  }
}
