// Operations that the first page does not need. They are loaded with the overlays, or when they are needed before.
import type { Item } from '../core/entries.ts'
import { LazyPart } from '../core/lazy-part.ts'
import { noticesSlice } from '../core/notices.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import type { Transfer } from './transfer.ts'

type Rename = typeof import('./rename.ts')

export const operationsPart = new LazyPart(() => import('./operations-part.ts'))

/** Like `transfer` in transfer.ts. */
export async function transfer(workspace: Workspace, wanted: Transfer): Promise<readonly Item[]> {
  const part = await load(workspace)
  return part ? part.transfer(workspace, wanted) : tellMissing(workspace, wanted.items)
}

/** Like `rename` in rename.ts. */
export async function rename(...given: Parameters<Rename['rename']>): Promise<string | undefined> {
  const part = await load(given[0])
  return part ? part.rename(...given) : t('app.notLoadedText')
}

/** @returns undefined when the part cannot be loaded */
async function load(workspace: Workspace) {
  const { value } = operationsPart
  if (!value.peek()) {
    const loading = workspace.use(tasksSlice).track(() => operationsPart.load())
    await loading.catch(() => undefined)
  }
  return value.peek()
}

/** Says that nothing was done. @returns `outcome` */
function tellMissing<T>(workspace: Workspace, outcome: T): T {
  workspace.use(noticesSlice).fail(t('app.notLoaded'), t('app.notLoadedText'))
  return outcome
}
