// Bundles the code of threads as text for the bundle of the server, which has no source folder.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

/**
 * The code of each thread, a file that ends in `-thread.ts`, by its path below src-server. A thread cannot read the files inside the
 * executable.
 */
export async function bundleThreads(folder: string): Promise<Record<string, string>> {
  const files = await readdir(join(folder, 'src-server'), { recursive: true })
  const code = files
    .filter((file) => file.endsWith('-thread.ts'))
    .map(async (file) => {
      const { outputFiles } = await build({
        absWorkingDir: folder,
        entryPoints: [join('src-server', file)],
        bundle: true,
        platform: 'node',
        target: 'node24',
        format: 'cjs',
        minifySyntax: true,
        minifyWhitespace: true,
        legalComments: 'none',
        logLevel: 'warning',
        write: false,
      })
      return [file, outputFiles[0]?.text ?? ''] as const
    })
  return Object.fromEntries(await Promise.all(code))
}

/** See src-server/base/source-folder.ts. */
export const withoutSourceFolder: Plugin = {
  name: 'holdall-source-folder',
  setup({ onLoad }) {
    onLoad({ filter: /base[\\/]source-folder\.ts$/ }, () => ({ contents: "export const sourceFolder = ''", loader: 'js' }))
  },
}
