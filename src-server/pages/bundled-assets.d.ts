/** A module that `build.ts` adds to the server's bundle. It does not exist when the server runs from its sources. */
declare module 'holdall:assets' {
  import type { PackedAssets } from './assets.ts'
  export const assets: PackedAssets
}
