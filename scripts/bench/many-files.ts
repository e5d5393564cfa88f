import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const endings = ['jpg', 'tif', 'pdf', 'txt', 'tar.gz', 'xlsx', 'mp4', 'md']

/** A folder of small files of many kinds; one that is there stays as it is. @returns the folder */
export async function fill(folder: string, count: number): Promise<string> {
  if (existsSync(folder)) return folder
  await mkdir(folder)
  for (let number = 1; number <= count; number++) {
    const name = `Survey of the north field ${number}.${endings[number % endings.length]}`
    await writeFile(join(folder, name), `page ${number}\n`)
  }
  return folder
}
