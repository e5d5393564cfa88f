/** Made by `build.ts` inside the server's bundle; it does not exist when the server runs from its sources. */
declare module 'holdall:assets' {
  import type { PackedAssets } from './assets.ts'
  export const assets: PackedAssets
}
