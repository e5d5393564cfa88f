// What folders hold, counted by the server.
import type { TreeSize } from '../../src-server/contract/files.ts'
import { callInLines } from '../api/lines.ts'
import { t } from '../i18n/t.ts'
import { OnDemand } from './on-demand.ts'

/** Bytes and number of the files beside some folders. */
export type FilesBeside = { bytes: number; count: number }

/** What some folders hold together, counted one folder after the other. @param paths decoded */
export const folderSize = (paths: readonly string[]) =>
  new OnDemand<TreeSize, TreeSize>(async (signal, onProgress) => {
    let before = nothing
    for (const path of paths) {
      const onLine = (line: object) => onProgress(sum(before, line as TreeSize))
      before = sum(before, await callInLines('GET /api/size/*', { path, signal, onLine }))
      onProgress(before)
    }
    return before
  })

const nothing: TreeSize = { bytes: 0, files: 0, folders: 0, unlisted: 0 }

function sum(a: TreeSize, b: TreeSize): TreeSize {
  return {
    bytes: a.bytes + b.bytes,
    files: a.files + b.files,
    folders: a.folders + b.folders,
    unlisted: a.unlisted + b.unlisted,
  }
}

export function plus(counted: TreeSize = nothing, { bytes, count }: FilesBeside): TreeSize {
  return { ...counted, bytes: counted.bytes + bytes, files: counted.files + count }
}

/** `12,004 files in 611 folders`. */
export function countsOf({ files, folders }: TreeSize): string {
  const inFiles = t('prompts.info.files', { count: files })
  return folders === 0
    ? inFiles
    : t('prompts.info.filesIn', { files: inFiles, folders: t('prompts.info.folders', { count: folders }) })
}
