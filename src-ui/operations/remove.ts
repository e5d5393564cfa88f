import { call, HttpFailure } from '../api/http.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { announce, fail } from '../core/notices.ts'
import type { Item } from '../core/paths.ts'
import { trackTask } from '../core/tasks.ts'
import { isolate, t } from '../i18n/t.ts'
import { refresh, sortedEntries } from '../listing/listing.ts'
import { selectNeighbour } from '../listing/select-neighbour.ts'

type Outcome = { gone: Item[]; failed: { item: Item; failure: unknown }[] }

/**
 * Deletes things for good. What could not be deleted is said and stays selected; the listing is read anew in any case.
 * Once `stopping` is aborted nothing more goes.
 */
export async function remove(items: readonly Item[], then: () => void, stopping = new AbortController()): Promise<void> {
  const before = sortedEntries.value
  const label = t('remove.working', { count: items.length })
  try {
    const total = items.length
    const { gone, failed } = await trackTask({ label, total, stopping }, (step, signal) => removeAll(items, step, signal))
    then()
    await refresh()
    if (failed.length > 0) tell(failed)
    else selectNeighbour(before, new Set(gone.map(({ path }) => path)))
    if (gone.length > 0) announce(t('remove.done', { count: gone.length }))
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
  }
}

async function removeAll(items: readonly Item[], step: () => void, signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { gone: [], failed: [] }
  for (const item of items) {
    if (signal.aborted) break
    try {
      await call('DELETE /api/resources/*', { path: item.path })
      outcome.gone.push(item)
    } catch (failure) {
      if (isSignedOut(failure)) throw failure
      // Somebody else was quicker: it is gone, as was wanted.
      if (failure instanceof HttpFailure && failure.status === 404) outcome.gone.push(item)
      else outcome.failed.push({ item, failure })
    }
    step()
  }
  return outcome
}

function tell(failed: Outcome['failed']): void {
  const [first] = failed
  if (!first) return
  const detail = t('transfer.failure', { name: isolate(first.item.name), cause: failureReason(first.failure) })
  fail(t('remove.failed', { count: failed.length }), detail)
}
