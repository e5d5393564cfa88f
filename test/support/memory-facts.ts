import { rootPath } from '../../src-server/base/paths.ts'
import type { RootFacts } from '../../src-server/import/root-facts.ts'

/** What lies below a root: the paths of files, and of folders with a slash at their end. The folders above them are there too. */
export function memoryFacts(paths: readonly string[] = [], root = '/srv'): RootFacts {
  const files = new Set(paths.filter((path) => !path.endsWith('/')))
  const above = (path: string): string[] => (path === '' ? [] : [path, ...above(path.slice(0, path.lastIndexOf('/')))])
  const folders = new Set<string>([rootPath, ...paths.flatMap((path) => above(path.slice(0, path.lastIndexOf('/'))))])
  const all = [...files, ...folders]
  return {
    root,
    linksOut: () => ({ folders: [], others: [], isAll: true }),
    isFolder: async (path) => folders.has(path),
    namesIn: async (path) => {
      const start = path === rootPath ? '/' : `${path}/`
      return [
        ...new Set(
          all
            .filter((one) => one.startsWith(start) && one !== start)
            .map((one) => one.slice(start.length).split('/')[0] as string),
        ),
      ]
    },
    target: async (path) => {
      if (!files.has(path) && !folders.has(path)) return undefined
      return { path, isDir: folders.has(path), identity: `object ${path}` }
    },
  }
}
