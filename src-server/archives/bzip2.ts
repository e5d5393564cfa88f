import load from 'bzip2-wasm/bzip2-1.0.8/bzip2.mjs'
import { bzip2Wasm } from './bzip2-wasm.ts'

/** Bytes of content in one stream: as much as one block holds. */
export const largestBzip2 = 900_000

let loaded: ReturnType<typeof prepare> | undefined

/** One complete stream; streams one after the other are one file. Only in a thread: a stream takes a tenth of a second. */
export async function bzip2Stream(content: Uint8Array): Promise<Uint8Array> {
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
