// Starts the server of the bundle once, and adds V8's cache of the functions that ran to the bundled files: the executable need not
// compile them. Run by package.ts as a process with the options of the executable: node FLAGS scripts/code-cache.ts FILES RESULT
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { Script } from 'node:vm'
import { packFiles, readBundledFiles } from '../src-server/base/bundled-files.ts'

/** Options of V8 in the executable. V8 takes a cache only with the options with which it was made. */
export const codeCacheFlags = ['--max-semi-space-size=4', '--expose-gc'] as const

async function main(source: string, target: string) {
  const files = readBundledFiles(readFileSync(source))
  const script = new Script(files.bytes('server.cjs').toString('latin1'), { filename: 'holdall-server.cjs' })
  mkdirSync('code-cache/root', { recursive: true })
  const bundle = resolve(dirname(source), 'holdall.cjs')
  const options = ['--root', 'code-cache/root', '--database', 'code-cache/state.json', '--cache-dir', 'code-cache', '--port', '0']
  process.argv = [process.execPath, bundle, ...options]
  const address = addressPrinted()
  script.runInThisContext()(createRequire(bundle), bundle, dirname(bundle), { ...files, codeCache: 'none' })
  await fetch(await address)
  const packed = files.names.map((name) => [name, files.bytes(name)] as const)
  writeFileSync(target, packFiles([...packed, ['server.cache', script.createCachedData()]]))
  process.exit()
}

/** The address that the server prints when it listens. */
function addressPrinted(): Promise<string> {
  const { promise, resolve: found } = Promise.withResolvers<string>()
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text: string | Uint8Array) => {
    const address = /^Holdall serves .* at (http\S+)$/m.exec(String(text))?.[1]
    if (address !== undefined) found(address)
    return write(text)
  }
  return promise
}

const [source, target] = process.argv.slice(2)
if (import.meta.main && source !== undefined && target !== undefined) await main(source, target)
