// Folders of files for the server to show.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const endings = ['jpg', 'tif', 'pdf', 'txt', 'tar.gz', 'xlsx', 'mp4', 'md']

/** A folder of small files of many kinds; one that is there stays as it is. @returns the folder */
export async function fill(folder: string, count: number): Promise<string> {
  if (existsSync(folder)) return folder
  await mkdir(folder)
  for (let number = 1; number <= count; number++) await writeFile(join(folder, nameOf(number)), `page ${number}\n`)
  return folder
}

/** A new folder of files that are alike. Holds the event loop, and takes a third of the time of `fill`. @returns the folder */
export function fillQuickly(folder: string, count: number, content: Buffer | '' = ''): string {
  mkdirSync(folder, { recursive: true })
  for (let number = 1; number <= count; number++) writeFileSync(join(folder, nameOf(number)), content)
  return folder
}

function nameOf(number: number) {
  return `Survey of the north field ${number}.${endings[number % endings.length]}`
}
