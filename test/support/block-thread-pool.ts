// A separate process: `node block-thread-pool.ts <folder>` blocks twelve threads of the pool, like a file system that hangs, by
// opening a FIFO without a writer. Meanwhile it lists, writes and reads in the folder, and prints what it read.
import '../../src-server/base/thread-pool.ts'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, open, openSync } from 'node:fs'
import { join } from 'node:path'
import { rootPath } from '../../src-server/base/paths.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { body, capability } from './capabilities.ts'
import { contentOf, namesIn } from './in-disk.ts'
import { nothingProtected } from './open-disk.ts'

const [folder = ''] = process.argv.slice(2)
const fifo = join(folder, 'fifo')
execFileSync('mkfifo', [fifo])
const opened = Array.from({ length: 12 }, () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  open(fifo, constants.O_RDONLY, () => resolve())
  return promise
})
const disk = await openLocalDisk({
  root: join(folder, 'files'),
  scope: rootPath,
  protectedPaths: nothingProtected,
  linksInto: [],
})
await disk.write(capability('create', '/new'), body('written'), { replace: false })
process.stdout.write(`${await namesIn(disk)} ${await contentOf(disk, '/new')}`)
disk.close()
// Without a writer the process could not exit.
const writer = openSync(fifo, constants.O_RDWR)
await Promise.all(opened)
closeSync(writer)
