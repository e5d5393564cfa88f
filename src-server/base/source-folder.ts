import { join } from 'node:path'

/** The folder src-server, when the server runs from source. `build.ts` replaces this by an empty string: a bundle has none. */
export const sourceFolder = join(import.meta.dirname, '..')
