// Real files to send and compare: files of the installed packages, and one large file that is written for the test.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, statfs } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

const packages = resolve(import.meta.dirname, '../../node_modules')
const mebibyte = 1 << 20

/**
 * Copies `count` files of many kinds from the installed packages into `folder`, each under a name that no other has.
 * @returns their names
 */
export async function copyRealFiles(folder: string, count: number): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const names = new Set<string>()
  for await (const { parent, name } of realFiles()) {
    if (names.has(name)) continue
    names.add(name)
    await copyFile(join(parent, name), join(folder, name))
    if (names.size === count) return [...names]
  }
  throw new Error(`only ${names.size} of ${count} files were found`)
}

/** Copies `count` files from the installed packages with their subfolders into `folder`. */
export async function copyRealTree(folder: string, count: number): Promise<void> {
  let copied = 0
  for (const { name, parentPath } of await filesOfPackages()) {
    if (copied === count) break
    const target = join(folder, relative(packages, parentPath))
    await mkdir(target, { recursive: true })
    await copyFile(join(parentPath, name), join(target, name))
    copied += 1
  }
  if (copied < count) throw new Error(`only ${copied} of ${count} files were found`)
}

// A few files of each package, so that there are deep folders and many types.
async function filesOfPackages() {
  const entries = await readdir(packages, { withFileTypes: true, recursive: true })
  const perPackage = new Map<string, number>()
  return entries.filter((entry) => {
    const [owner = ''] = relative(packages, entry.parentPath).split('/')
    if (!entry.isFile() || owner.startsWith('.')) return false
    const seen = perPackage.get(owner) ?? 0
    perPackage.set(owner, seen + 1)
    return seen < 25
  })
}

async function* realFiles() {
  const entries = await readdir(packages, { withFileTypes: true, recursive: true })
  const extensions = new Map<string, number>()
  for (const entry of entries) {
    // A browser removes a dot at the beginning of a name: such a file is saved under another name.
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    // At most thirty of a kind, so that fonts, pictures, maps and binaries come along with the scripts.
    const extension = entry.name.slice(entry.name.lastIndexOf('.'))
    const seen = extensions.get(extension) ?? 0
    extensions.set(extension, seen + 1)
    if (seen < 30) yield { parent: entry.parentPath, name: entry.name }
  }
}

/** Writes `size` bytes that do not compress and do not repeat within a block. */
export async function makeBigFile(file: string, size: number): Promise<void> {
  const block = randomBytes(mebibyte)
  const handle = await open(file, 'wx')
  try {
    for (let written = 0; written < size; written += block.length) {
      block.writeBigUInt64LE(BigInt(written))
      await handle.write(block, 0, Math.min(block.length, size - written))
    }
  } finally {
    await handle.close()
  }
}

/** @throws when the file system of `folder` has less free space than `bytes` */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < bytes) {
    const missing = Math.ceil((bytes - free) / mebibyte)
    throw new Error(`this test needs ${Math.ceil(bytes / mebibyte)} MiB below ${folder}; ${missing} MiB are missing`)
  }
}

/** The SHA-256 of a file, as hex. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: mebibyte })) hash.update(chunk)
  return hash.digest('hex')
}
