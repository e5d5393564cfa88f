// A component that reads a signal outside view() is not rendered again when the signal changes, without any error.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const sources = join(import.meta.dirname, '../../src-ui')
const files = globSync('**/*.tsx', { cwd: sources })

test('every component that reads a signal is a view', () => {
  const unsubscribed = files.flatMap((file) =>
    unsubscribedComponents(readFileSync(join(sources, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(unsubscribed, [])
})

test('a component that reads a signal without view() is found', () => {
  const source = `
import { currentPath, type ListingState } from './listing.ts'
function Unsubscribed() {
  return <p>{currentPath.value}</p>
}
const Arrow = () => <p>{currentPath.value}</p>
const Subscribed = view(function Subscribed() {
  return <p>{currentPath.value}</p>
})
export function Peeking() {
  return <p>{currentPath.peek()}</p>
}
function Other({ entry }) {
  return <p>{entry.value}</p>
}`
  assert.deepEqual(unsubscribedComponents(source), ['Unsubscribed', 'Arrow'])
})

test('there are components to check', () => assert.ok(files.length > 30))

/** The components of a file that read an imported signal, but are no views. */
function unsubscribedComponents(source: string): string[] {
  const signals = importedFrom(source, /^\.\.?\//)
  return declarations(source)
    .filter(({ text }) => !/=\s*view\(/.test(text.split('\n', 1)[0] ?? ''))
    .filter(({ text }) => signals.some((signal) => new RegExp(`(?<![.\\w])${signal}\\.value\\b`).test(text)))
    .map(({ name }) => name)
}

function importedFrom(source: string, folder: RegExp): string[] {
  const imports = [...source.matchAll(/^import \{([^}]*)\} from '([^']*)'/gm)]
  const names = imports.filter(([, , path]) => folder.test(path ?? '')).flatMap(([, list]) => (list ?? '').split(','))
  return names.map((name) => name.trim()).filter((name) => /^[a-z]\w*$/.test(name))
}

/** The top-level declarations of a file whose names begin with a capital, as those of components do. */
function declarations(source: string): { name: string; text: string }[] {
  return source
    .split(/^(?=(?:export )?(?:function|const|type|import) )/m)
    .map((text) => ({ name: /^(?:export )?(?:function|const) ([A-Z]\w*)/.exec(text)?.[1] ?? '', text }))
    .filter(({ name }) => name !== '')
}
