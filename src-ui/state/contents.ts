import { call } from '../api/http.ts'
import { failureReason } from './cause.ts'

/** How many things lie in a folder, or why they could not be counted. */
export type Contents = { folders: number; files: number } | { problem: string }

export async function contentsOf(path: string, signal: AbortSignal): Promise<Contents> {
  try {
    const { numDirs = 0, numFiles = 0 } = await call('GET /api/resources/*', { path, signal })
    return { folders: numDirs, files: numFiles }
  } catch (failure) {
    return { problem: failureReason(failure) }
  }
}
