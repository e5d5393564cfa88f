import { call, HttpFailure } from '../api/http.ts'
import { isolate, t } from '../i18n/t.ts'
import { isSignedOut, whyNot } from '../state/cause.ts'
import type { Item } from '../state/item.ts'
import { order, refresh } from '../state/listing.ts'
import { announce, fail } from '../state/notices.ts'
import { during } from '../state/work.ts'
import { selectNeighbour } from './select-neighbour.ts'

type Failed = { item: Item; failure: unknown }

/** Deletes things for good. What could not be deleted is said and stays selected; the listing is read anew in any case. */
export async function remove(items: readonly Item[], then: () => void): Promise<void> {
  const before = order.value
  try {
    const label = t('remove.working', { count: items.length })
    const failed = await during({ label, total: items.length }, (step) => removeAll(items, step))
    then()
    await refresh()
    if (failed.length > 0) tell(failed)
    else selectNeighbour(before, new Set(items.map(({ path }) => path)))
    const count = items.length - failed.length
    if (count > 0) announce(t('remove.done', { count }))
  } catch (failure) {
    if (!isSignedOut(failure)) throw failure
  }
}

async function removeAll(items: readonly Item[], step: () => void): Promise<Failed[]> {
  const failed: Failed[] = []
  for (const item of items) {
    try {
      await call('DELETE /api/resources/*', { path: item.path })
    } catch (failure) {
      if (isSignedOut(failure)) throw failure
      // Somebody else was quicker: it is gone, as was wanted.
      if (!(failure instanceof HttpFailure && failure.status === 404)) failed.push({ item, failure })
    }
    step()
  }
  return failed
}

function tell(failed: readonly Failed[]): void {
  const [first] = failed
  if (!first) return
  const detail = t('transfer.failure', { name: isolate(first.item.name), cause: whyNot(first.failure) })
  fail(t('remove.failed', { count: failed.length }), detail)
}
