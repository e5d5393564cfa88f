import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { bundleSources, hashOf, isFresh, markFresh, markStale } from './sources.ts'

const top = resolve(import.meta.dirname, '..')

/** The server and the interface in one file, which Node runs beside node_modules. */
export const bundle = resolve(top, 'out/server/holdall.cjs')

/** The licences of all that the bundle holds and needs. */
export const bundleNotices = resolve(top, 'out/server/licenses.txt')

/** Builds the bundle when the sources have changed. @returns its path */
export async function makeBundle(say: (text: string) => void): Promise<string> {
  const sources = await hashOf(bundleSources)
  if (await isFresh(bundle, sources)) return bundle
  say('building the interface and the server …')
  // Imported only here, so that a start without a build does not load the bundler.
  const parts = [import('../build.ts'), import('./notices.ts'), import('esbuild')] as const
  const [{ buildServer, buildUi, nativePackages }, { makeNotices }, { stop }] = await Promise.all(parts)
  await markStale(bundle)
  const [assets, notices] = await Promise.all([buildUi(), makeNotices(top, nativePackages)])
  await buildServer(assets, top, notices)
  await writeFile(bundleNotices, notices)
  await stop()
  await markFresh(bundle, sources)
  return bundle
}
