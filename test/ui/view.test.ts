// A component that reads a signal outside view() is drawn once and never again, and nothing says so.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const sources = join(import.meta.dirname, '../../src-ui')
const files = globSync('**/*.tsx', { cwd: sources })

test('every component that reads a signal is a view', () => {
  const blind = files.flatMap((file) =>
    blindComponents(readFileSync(join(sources, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(blind, [])
})

test('a component that reads a signal without view() is found', () => {
  const source = `
import { currentPath, type ListingState } from './listing.ts'
function Blind() {
  return <p>{currentPath.value}</p>
}
const Arrow = () => <p>{currentPath.value}</p>
const Seeing = view(function Seeing() {
  return <p>{currentPath.value}</p>
})
export function Peeking() {
  return <p>{currentPath.peek()}</p>
}
function Other({ entry }) {
  return <p>{entry.value}</p>
}`
  assert.deepEqual(blindComponents(source), ['Blind', 'Arrow'])
})

test('there are components to check', () => assert.ok(files.length > 30))

/** The components of a file that read an imported signal, but are no views. */
function blindComponents(source: string): string[] {
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

/** What stands at the margin of a file under a name that begins as a component's does. */
function declarations(source: string): { name: string; text: string }[] {
  return source
    .split(/^(?=(?:export )?(?:function|const|type|import) )/m)
    .map((text) => ({ name: /^(?:export )?(?:function|const) ([A-Z]\w*)/.exec(text)?.[1] ?? '', text }))
    .filter(({ name }) => name !== '')
}
