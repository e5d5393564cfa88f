// The file beside the bundle that holds what the program serves and loads later. The executable maps it into memory with itself.

/** Contents by name, in one piece of memory. */
export type BundledFiles = Readonly<{
  names: readonly string[]
  /** A view of the one piece, which must not be written to. @throws when the build packed no such file */
  bytes(name: string): Buffer
}>

/** The bundled files of a running server. */
type RunningFiles = BundledFiles & Readonly<{ codeCache: 'used' | 'refused' | 'none' }>

/** The name of the file, beside the bundle and as an asset of the executable. */
export const bundledFilesName = 'holdall.files'

/** The bundled file with the licences of what the bundle holds, compressed with brotli. */
export const noticesName = 'licenses.txt.br'

/** Given to the code of the bundle by launch.ts; a server that runs from its sources has none. */
declare const holdallFiles: RunningFiles | undefined

/** @returns undefined when the server runs from its sources */
export function bundledFiles(): RunningFiles | undefined {
  return typeof holdallFiles === 'undefined' ? undefined : holdallFiles
}

/** The length of the index in bytes, the index as JSON (name → start and length of its content), and the contents. */
export function packFiles(files: Iterable<readonly [name: string, contents: Uint8Array]>): Buffer {
  const entries = [...files]
  let start = 0
  const index = entries.map(([name, { length }]) => {
    const place = [name, [start, length]] as const
    start += length
    return place
  })
  const text = Buffer.from(JSON.stringify(Object.fromEntries(index)))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(text.length)
  return Buffer.concat([head, text, ...entries.map(([, contents]) => contents)])
}

/** Reads what `packFiles` made, without copying any content. */
export function readBundledFiles(packed: Buffer): BundledFiles {
  const first = 4 + packed.readUInt32LE(0)
  const index = new Map(Object.entries(JSON.parse(packed.toString('utf8', 4, first)) as Record<string, [number, number]>))
  return {
    names: [...index.keys()],
    bytes: (name) => {
      const [start, length] = index.get(name) ?? missing(name)
      return packed.subarray(first + start, first + start + length)
    },
  }
}

function missing(name: string): never {
  throw new Error(`the build packed no ${name}`)
}
