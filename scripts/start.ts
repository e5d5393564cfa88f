// `npm start`: builds what is stale, then becomes the server.
import { pathToFileURL } from 'node:url'
import { makeBundle } from './bundle.ts'
import { flagsKeptByNpm } from './npm-flags.ts'

const kept = flagsKeptByNpm(process.env)
if (kept.length > 0) {
  console.error(
    `holdall: npm took ${kept.join(' and ')} for its own: write two dashes first, as in "npm start -- --root DIR --port 8080".`,
  )
  process.exit(2)
}
const bundle = await makeBundle((text) => console.error(`holdall: ${text}`))
process.argv[1] = bundle
await import(pathToFileURL(bundle).href)
