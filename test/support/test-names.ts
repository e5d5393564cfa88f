// A program: prints the names of the tests of files, as the runner names them. The files get the functions below for `node:test`,
// so that no test runs.
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

let names: string[] = []
const ends: (() => unknown)[] = []

export const test = (name: string) => void names.push(name)
export const describe = (_name: string, ...given: unknown[]): void => (given.at(-1) as () => void)()
const nothing = () => {}

export { nothing as after, nothing as afterEach, nothing as before, nothing as beforeEach }

registerHooks({
  resolve: (name, context, next) => next(name === 'node:test' ? import.meta.url : name, context),
})

async function namesOf(file: string): Promise<readonly [string, string[]]> {
  names = []
  await import(pathToFileURL(resolve(file)).href)
  return [file, names]
}

async function print(files: readonly string[]): Promise<void> {
  const all: (readonly [string, string[]])[] = []
  for (const file of files) all.push(await namesOf(file))
  // What the files began while they were loaded. Some ends expect what hooks make, which have not run.
  await Promise.allSettled(ends.map(async (end) => end()))
  process.stdout.write(JSON.stringify(Object.fromEntries(all)), () => process.exit())
}

void print(process.argv.slice(2))
