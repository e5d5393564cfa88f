import { resolve } from 'node:path'
import { bundleSources, hashOf, isFresh, markFresh, markStale } from './sources.ts'

/** The server with the interface inside, to be run by Node beside node_modules. */
export const bundle = resolve(import.meta.dirname, '../out/server/holdall.cjs')

/** Builds the bundle when the sources are not those it was made from. @returns where it is */
export async function makeBundle(say: (text: string) => void): Promise<string> {
  const sources = await hashOf(bundleSources)
  if (await isFresh(bundle, sources)) return bundle
  say('building the interface and the server …')
  // Imported only here: a start that builds nothing does not wait for the bundler.
  const [{ buildServer, buildUi }, { stop }] = await Promise.all([import('../build.ts'), import('esbuild')])
  await markStale(bundle)
  await buildServer(await buildUi())
  await stop()
  await markFresh(bundle, sources)
  return bundle
}
