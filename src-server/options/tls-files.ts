import { readFileSync } from 'node:fs'
import type { Options } from './options.ts'

/** Reads certificate and key as PEM. @returns undefined without --cert */
export function readTls({ tls }: Options): { cert: Buffer; key: Buffer } | undefined {
  return tls && { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
}
