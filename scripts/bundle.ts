import { resolve } from 'node:path'
import { bundleSources, hashOf, isFresh, markFresh, markStale } from './sources.ts'

const top = resolve(import.meta.dirname, '..')

/** The server and the interface in one file, which Node runs beside node_modules. */
export const bundle = resolve(top, 'out/server/holdall.cjs')

/** Builds the bundle when the sources have changed. @returns its path */
export async function makeBundle(say: (text: string) => void): Promise<string> {
  const sources = await hashOf(bundleSources)
  if (await isFresh(bundle, sources)) return bundle
  say('building the interface and the server …')
  // Imported only here, so that a start without a build does not load the bundler.
  const parts = [import('../build.ts'), import('./notices.ts'), import('esbuild')] as const
  const [{ buildServer, buildUi, nativePackages }, { makeNotices }, { stop }] = await Promise.all(parts)
  await markStale(bundle)
  await buildServer(await buildUi(), top, await makeNotices(top, nativePackages))
  await stop()
  await markFresh(bundle, sources)
  return bundle
}
