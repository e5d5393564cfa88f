// Hashes parts of files beside the page: `crypto.subtle` is missing over plain http. Bundled by itself: scripts/bundle-parts.ts.
import { createSHA256 } from 'hash-wasm'

/** Bytes that are read at a time. */
const step = 4 << 20

self.onmessage = async ({ data: { id, blob } }: MessageEvent<{ id: number; blob: Blob }>) => {
  try {
    const hash = await createSHA256()
    for (let at = 0; at < blob.size; at += step) hash.update(new Uint8Array(await blob.slice(at, at + step).arrayBuffer()))
    self.postMessage({ id, digest: hash.digest('binary') })
  } catch {
    self.postMessage({ id })
  }
}
