import { rawAddress } from '../api/addresses.ts'
import { startDownload } from '../api/download.ts'
import { assertServed } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'

/**
 * Downloads a file. The browser does not report a refused download to the page, so the address is checked first, and a notice
 * shows the reason.
 */
export async function downloadFile(workspace: Workspace, file: Pick<Item, 'path' | 'name'> | undefined): Promise<void> {
  if (!file) return
  try {
    await assertServed(rawAddress(file.path))
    startDownload(file.path)
  } catch (failure) {
    if (isSignedOut(failure)) return
    const text = t('download.failed', { name: isolate(file.name) })
    workspace.use(noticesSlice).fail(text, failureReason(failure))
  }
}
