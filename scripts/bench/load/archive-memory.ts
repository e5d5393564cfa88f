import { ask } from '../connection.ts'
import { watchPeak } from '../process-cost.ts'
import { megabytes } from '../table.ts'
import { archivedFiles } from './files.ts'
import type { Target } from './rows.ts'

/** Bytes that many files may take above few. */
const most = 60e6

/**
 * The peak of the server's own memory, with its threads, while it packs many files, above that while it packs few.
 * @throws when it is more than 60 MB
 */
export async function archiveMemory({ url, pid, token }: Target, format: string): Promise<string> {
  const peakOf = async (folder: string) => {
    const peak = watchPeak(pid)
    await ask(url, { path: `/api/raw/${folder}/?algo=${format}`, token })
    peak.stop()
    return peak.memory().anonymous
  }
  const few = await peakOf(`${archivedFiles.name}/1`)
  const more = (await peakOf(archivedFiles.name)) - few
  const text = `${megabytes(few)} MB for 200 files, ${megabytes(more)} MB more for 20,000`
  if (more > most) throw new Error(text)
  return text
}
