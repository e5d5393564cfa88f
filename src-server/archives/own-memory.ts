/**
 * A copy of what a native package returned, whose memory is given back to the package at once. V8 would do that at a collection, and
 * an allocator that gets memory back late and from another thread keeps several times as much.
 */
export function ownMemory(piece: Buffer<ArrayBufferLike>): Uint8Array {
  const copy = Buffer.from(piece)
  ;(piece.buffer as ArrayBuffer).transfer(0)
  return copy
}
