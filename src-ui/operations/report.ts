import { HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { failureReason } from '../core/failure-reason.ts'
import { type FailureOf, noticesSlice } from '../core/notices.ts'
import type { Left } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'

/** Reports which items something was not done with, and why with the first. @returns the id of the notice; undefined when none failed */
export function reportFailed(
  workspace: Workspace,
  text: string,
  failed: Left<Item>['failed'],
  of: FailureOf = {},
): number | undefined {
  const [first] = failed
  if (!first) return undefined
  const detail = t('transfer.failure', { name: isolate(first.name ?? first.item.name), cause: failureReason(first.failure) })
  return workspace.use(noticesSlice).fail(text, detail, undefined, of)
}

/** As `reportFailed`, for items that somebody else has renamed, moved or deleted before anything was done. */
export function reportGone(workspace: Workspace, text: string, items: readonly Item[]): void {
  const failure = new HttpFailure(404, '')
  reportFailed(
    workspace,
    text,
    items.map((item) => ({ item, failure })),
  )
}
