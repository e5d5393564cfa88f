import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from '../connection.ts'
import { watchPeak } from '../process-cost.ts'
import { megabytes } from '../table.ts'
import { archivedFiles } from './files.ts'
import type { Target } from './rows.ts'

/** Bytes that an archive may take above that of few files. */
const most = 60e6
const sparseFolder = 'sparse'

/** @throws when the peak is more than 60 MB above that of few files */
export function memoryOfMany(target: Target, format: string): Promise<string> {
  return memoryAboveFew(target, { format, folder: archivedFiles.name, what: '20,000' })
}

/** The same for one sparse file. @param length bytes */
export async function memoryOfLong(target: Target, format: string, length: number): Promise<string> {
  const folder = join(target.root, sparseFolder)
  await mkdir(folder)
  try {
    await writeFile(join(folder, 'disk.img'), 'content')
    await truncate(join(folder, 'disk.img'), length)
    return await memoryAboveFew(target, { format, folder: sparseFolder, what: 'one long file' })
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Packed = Readonly<{ format: string; folder: string; what: string }>

/** The peak of the server's own memory, with its threads, while it packs a folder, above that while it packs few files. */
async function memoryAboveFew({ url, pid, token }: Target, { format, folder, what }: Packed): Promise<string> {
  const peakOf = async (packed: string) => {
    const peak = watchPeak(pid)
    await ask(url, { path: `/api/raw/${packed}/?algo=${format}`, token })
    peak.stop()
    return peak.memory().anonymous
  }
  const few = await peakOf(`${archivedFiles.name}/1`)
  const more = (await peakOf(folder)) - few
  const text = `${megabytes(few)} MB for 200 files, ${megabytes(more)} MB more for ${what}`
  if (more > most) throw new Error(text)
  return text
}
