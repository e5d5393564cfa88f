// Compressors of whole streams.
import { createGzip } from 'node:zlib'
import { joined } from './joined.ts'
import { throughZlib } from './through-zlib.ts'

/** Compresses a stream in bounded memory. It closes the source when its reader stops, and throws what the source throws. */
export type Compress = (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

const chunkSize = 64 * 1024

export const gzip: Compress = (source, signal) => joined(throughZlib(source, createGzip({ chunkSize })), signal)
