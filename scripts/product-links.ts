import type { ProductLinks } from '../src-server/base/product-links.ts'

/** The parts of package.json that hold addresses. */
export type PackageLinks = Readonly<{
  homepage?: string
  bugs?: string | Readonly<{ url?: string }>
  holdall?: Readonly<{ documentation?: string }>
}>

/** The addresses in package.json: `homepage`, `bugs` and `holdall.documentation`. @throws when one is no http address */
export function linksOf({ homepage, bugs, holdall }: PackageLinks): ProductLinks {
  const links = { home: homepage, report: typeof bugs === 'string' ? bugs : bugs?.url, documentation: holdall?.documentation }
  const given = Object.entries(links).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  for (const [name, address] of given) {
    if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw new Error(`${name} in package.json is no http address: ${address}`)
  }
  return Object.fromEntries(given)
}
