import type { TreeSize } from '../../src-server/contract/files.ts'
import { callInLines } from '../api/lines.ts'
import { OnDemand } from './on-demand.ts'

export const nothing: TreeSize = { bytes: 0, files: 0, folders: 0, unlisted: 0 }

/** What some folders hold together, counted by the server one folder after the other. @param paths decoded */
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

function sum(a: TreeSize, b: TreeSize): TreeSize {
  return {
    bytes: a.bytes + b.bytes,
    files: a.files + b.files,
    folders: a.folders + b.folders,
    unlisted: a.unlisted + b.unlisted,
  }
}
