/** Addresses about the product, as far as there are any. */
export type ProductLinks = Readonly<{
  home?: string
  /** Where problems are reported. */
  report?: string
  documentation?: string
}>

/** Replaced by `build.ts` with the addresses in package.json. */
declare const HOLDALL_LINKS: ProductLinks

/** The addresses of this program. */
export const productLinks: ProductLinks = typeof HOLDALL_LINKS === 'undefined' ? {} : HOLDALL_LINKS
