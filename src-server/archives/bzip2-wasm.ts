import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The compiled code of bzip2-wasm, which looks for it beside its own source. `build.ts` puts it into the bundle. */
export const bzip2Wasm: Uint8Array<ArrayBuffer> = readFileSync(
  fileURLToPath(import.meta.resolve('bzip2-wasm/bzip2-1.0.8/bzip2.wasm')),
)
