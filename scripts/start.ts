// `npm start`: builds the bundle if it is stale, and runs the server in this process.
import { pathToFileURL } from 'node:url'
import { makeBundle } from './bundle.ts'
import { flagsKeptByNpm } from './npm-flags.ts'

const kept = flagsKeptByNpm(process.env)
if (kept.length > 0) {
  console.error(
    `holdall: npm took ${kept.join(' and ')} as its own options: write two dashes before them, as in "npm start -- --root DIR --port 8080".`,
  )
  process.exit(2)
}
const bundle = await makeBundle((text) => console.error(`holdall: ${text}`))
process.argv[1] = bundle
await import(pathToFileURL(bundle).href)
