import { join } from 'node:path'

/** The folder src-server, where the server runs from source. `build.ts` puts an empty text in place of this file: a bundle has none. */
export const sourceFolder = join(import.meta.dirname, '..')
