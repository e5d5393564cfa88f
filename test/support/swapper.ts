// A process of its own that swaps things for links as fast as it can: `node swapper.ts <place> <link> <place> <link> …`.
// Each place is a folder or a file, each link lies in wait beside it. Ends with its parent, or after eleven minutes.
import { renameSync, writeSync } from 'node:fs'

const places = process.argv.slice(2)
const parent = process.ppid
const end = Date.now() + 11 * 60 * 1000
let aside = 0

for (let round = 0; ; round++) {
  if (round % 1000 === 0 && (process.ppid !== parent || Date.now() > end)) break
  if (round === 1000) writeSync(1, 'swapping\n')
  for (let index = 0; index < places.length; index += 2) swap(places[index] ?? '', places[index + 1] ?? '')
}

/** Away with the real one, the link in its place, and back. */
function swap(place: string, link: string) {
  renameSync(place, `${place}.away`)
  put(link, place)
  renameSync(place, link)
  put(`${place}.away`, place)
}

/** Whoever uploads to a folder that is away makes one in its place: that goes aside. */
function put(from: string, to: string) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    renameSync(to, `${to}.aside-${aside++}`)
    put(from, to)
  }
}
