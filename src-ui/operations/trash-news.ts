// Tells administrators once, after the update that brought the trash, that a delete does not free space any more.
import { call } from '../api/http.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatDays } from '../i18n/days.ts'
import { t } from '../i18n/t.ts'

/** Asks what the trash is like, and tells the news about it until an administrator has taken note, in this page or another. */
export async function askTrash(workspace: Workspace): Promise<void> {
  const known = workspace.use(knownTrashSlice)
  await known.ask()
  const { days, isNews } = known.facts.peek() ?? {}
  if (!isNews || days === undefined || workspace.signal.aborted) return
  workspace.use(noticesSlice).succeed(t('trash.news'), {
    detail: t('trash.newsText', { days: formatDays(days) }),
    action: { label: t('trash.newsSeen'), run: () => void takeNote(workspace) },
    isLasting: true,
  })
}

/** For all administrators. When it fails they are told again with their next page. */
async function takeNote({ signal }: Workspace): Promise<void> {
  await call('PUT /api/settings', { body: { trash: { isNews: false } }, signal }).catch(() => {})
}
