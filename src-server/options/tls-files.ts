import { readFileSync } from 'node:fs'
import type { Options } from './options.ts'

/** Certificate and key as PEM; the options were checked, so that both can be read and fit each other. */
export function readTls({ tls }: Options): { cert: Buffer; key: Buffer } | undefined {
  return tls && { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
}
