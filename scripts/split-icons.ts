import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import { type IconPart, icons } from '../src-ui/ui/icons.ts'

/** `holdall:icons/everywhere` has the drawings of these icons; `holdall:icons/first` and `holdall:icons/later` add theirs. */
export function splitIcons(folder: string): Plugin {
  return {
    name: 'holdall-icons',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^holdall:icons\// }, ({ path }) => ({ path, namespace: 'holdall-icons' }))
      onLoad({ filter: /.*/, namespace: 'holdall-icons' }, ({ path }) => ({
        contents: moduleOf(path.slice('holdall:icons/'.length) as IconPart),
        resolveDir: folder,
      }))
    },
  }
}

function moduleOf(part: IconPart): string {
  const imports = icons[part].map((name, index) => `import I${index} from '${fileOf(name)}'`)
  const drawings = `{ ${icons[part].map((name, index) => `'${name}': I${index}`).join(', ')} }`
  const end =
    part === 'everywhere'
      ? `export default ${drawings}`
      : `import { addIcons } from './src-ui/ui/icon.tsx'\naddIcons(${drawings})`
  return [...imports, end].join('\n')
}

/** `…/IconArrowDown.mjs` for `arrow-down`. */
function fileOf(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `@tabler/icons-react/dist/esm/icons/Icon${words.join('')}.mjs`
}

/** An icon's name is only a class, which no style uses, and a name for React's tools. Those of the first page would be 300 bytes. */
export const withoutIconNames: Plugin = {
  name: 'holdall-icon-names',
  setup({ onLoad }) {
    onLoad({ filter: /@tabler\/icons-react\/dist\/esm\/icons\/Icon\w+\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      return { contents: source.replace(/createReactComponent\("(\w+)", "[^"]*", "[^"]*"/, 'createReactComponent("$1", "", ""') }
    })
  },
}
