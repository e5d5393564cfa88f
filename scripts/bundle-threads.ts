// Bundles the code of threads as text for the bundle of the server, which has no source folder.
import { readdir, readFile } from 'node:fs/promises'
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
        plugins: [carriedWasm(folder)],
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

/** Puts the compiled code of bzip2 into the bundle, and takes the address of its loader, which a bundle does not have, out of it. */
function carriedWasm(folder: string): Plugin {
  const source = join(folder, 'node_modules/bzip2-wasm/bzip2-1.0.8')
  return {
    name: 'holdall-wasm',
    setup({ onLoad }) {
      onLoad({ filter: /archives[\\/]bzip2-wasm\.ts$/ }, async () => {
        const code = await readFile(join(source, 'bzip2.wasm'), 'base64')
        return { contents: `export const bzip2Wasm = Buffer.from(${JSON.stringify(code)}, 'base64')`, loader: 'js' }
      })
      onLoad({ filter: /bzip2\.mjs$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        return { contents: text.replaceAll('import.meta.url', "''"), loader: 'js' }
      })
    },
  }
}
