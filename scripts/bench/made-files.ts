// Files for the server: folders with many files, and large files.
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireSpace } from '../../test/support/real-files.ts'

const mebibyte = 1 << 20
/** The block that large files and uploads repeat. */
export const block = Buffer.alloc(mebibyte, 'a line of text that is as good as any other\n')
const endings = ['jpg', 'tif', 'pdf', 'txt', 'tar.gz', 'xlsx', 'mp4', 'md']

/** Creates a folder of small files of many kinds, unless it exists. @returns the folder */
export async function fill(folder: string, count: number): Promise<string> {
  if (existsSync(folder)) return folder
  await mkdir(folder)
  for (let number = 1; number <= count; number++) await writeFile(join(folder, nameOf(number)), `page ${number}\n`)
  return folder
}

/** Creates a folder of equal files. Blocks the event loop, and takes a third of the time of `fill`. @returns the folder */
export function fillQuickly(folder: string, count: number, content: Buffer | '' = ''): string {
  mkdirSync(folder, { recursive: true })
  for (let number = 1; number <= count; number++) writeFileSync(join(folder, nameOf(number)), content)
  return folder
}

/** Creates a folder of 200 files of 2 to 10 KB that compress like text. @returns the folder */
export function fillWithText(folder: string, ending: string): string {
  mkdirSync(folder, { recursive: true })
  for (let number = 0; number < 200; number++)
    writeFileSync(join(folder, `Survey ${number}.${ending}`), textOf(2048 + ((number * 41) % 8192)))
  return folder
}

/** Words that repeat, and numbers that do not. */
function textOf(length: number) {
  let text = ''
  while (text.length < length) text += `the north field has ${randomBytes(3).toString('hex')} plots; `
  return text.slice(0, length)
}

function nameOf(number: number) {
  return `Survey of the north field ${number}.${endings[number % endings.length]}`
}

/**
 * Creates a large file, which is then in the page cache, so that the server is measured and not the disk.
 * @returns its path
 * @throws when there is not enough space
 */
export async function makeBigFile(folder: string, name: string, mebibytes: number): Promise<string> {
  await requireSpace(folder, mebibytes * mebibyte)
  const path = join(folder, name)
  const file = openSync(path, 'wx')
  for (let written = 0; written < mebibytes; written++) writeSync(file, block)
  closeSync(file)
  return path
}
