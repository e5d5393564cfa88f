// Operations that the first page does not need. They are loaded with the overlays.
import type { Item } from '../core/entries.ts'
import type { Workspace } from '../core/workspace.ts'
import type { Transfer } from './transfer.ts'

/** Like `transfer` in transfer.ts. */
export async function transfer(workspace: Workspace, wanted: Transfer): Promise<readonly Item[]> {
  const loaded = await import('./transfer.ts')
  return loaded.transfer(workspace, wanted)
}

type Rename = typeof import('./rename.ts')

/** Like `rename` in rename.ts. */
export async function rename(...given: Parameters<Rename['rename']>): Promise<string | undefined> {
  const loaded = await import('./rename.ts')
  return loaded.rename(...given)
}

/** Like `renameTo` in rename.ts. */
export async function renameTo(...given: Parameters<Rename['renameTo']>): Promise<boolean> {
  const loaded = await import('./rename.ts')
  return loaded.renameTo(...given)
}
