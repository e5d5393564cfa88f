// What the interface is bundled with: files that a lazy part loads itself (its style sheet, which the build would otherwise add to
// that of the first page, and its worker), and one file of the first page.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

/**
 * `import address from 'holdall:part/preview/viewer.css'` is the address of a bundle of src-ui/preview/viewer.css, relative to the
 * scripts.
 */
export function bundleParts(folder: string, release: boolean): Plugin {
  return {
    name: 'holdall-parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^holdall:part\// }, ({ path }) => ({
        // The file that is written gets its ending from this path, and a part of its hash: it must not depend on the folder.
        path: join('src-ui', path.slice('holdall:part/'.length)).replace(/\.ts$/, '.js'),
        namespace: 'holdall-part',
      }))
      onLoad({ filter: /.*/, namespace: 'holdall-part' }, async ({ path: named }) => {
        const path = join(folder, named.replace(/\.js$/, '.ts'))
        const { outputFiles } = await build({
          absWorkingDir: folder,
          entryPoints: [path],
          bundle: true,
          format: 'esm',
          target: 'es2022',
          minify: release,
          legalComments: 'none',
          logLevel: 'warning',
          write: false,
          outdir: join(folder, 'out/ui'),
        })
        const made = outputFiles.find((file) => basename(file.path).split('.')[0] === basename(path).split('.')[0])
        return { contents: made?.contents ?? '', loader: 'file', watchFiles: [path] }
      })
    },
  }
}

/** The modules that the first page consists of are all below these. */
const firstPage = ['src-ui/app.tsx', 'src-ui/create-workspace.ts']

/** Packages that its entry alone imports. */
const firstPackages = ['react-dom/client']

/**
 * Keeps the first page in one file besides its entry. esbuild makes a file of the modules that the same lazy parts share, so each
 * part would split the first page further, and many small files compress worse: two parts cost 2.5 KB. When each part imports the
 * whole first page, which is loaded before it, all parts share the same modules.
 */
export function shareFirstPage(folder: string): Plugin {
  const parts = new Set<string>()
  return {
    name: 'holdall-first-page',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === firstPage) return undefined
        const resolved = await resolve(path, { kind, resolveDir, pluginData: firstPage })
        parts.add(resolved.path)
        return resolved
      })
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!parts.has(path)) return undefined
        const shared = firstPage.map((file) => join(folder, file)).filter((file) => existsSync(file))
        const imports = [...shared, ...(shared.length > 0 ? firstPackages : [])].map((file) => `import ${JSON.stringify(file)}`)
        return { contents: [await readFile(path, 'utf8'), ...imports].join('\n'), loader: 'tsx' }
      })
    },
  }
}
