import type { Item } from '../core/entries.ts'
import type { Workspace } from '../core/workspace.ts'
import type { Transfer } from './transfer.ts'

/** Like `transfer` in transfer.ts, which the first page does not need. It is loaded with the overlays. */
export async function transfer(workspace: Workspace, wanted: Transfer): Promise<readonly Item[]> {
  const loaded = await import('./transfer.ts')
  return loaded.transfer(workspace, wanted)
}
