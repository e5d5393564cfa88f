import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import type { ChangeCounts } from './apply-changes.ts'

export type ChangeSums = ChangeCounts

export const noChanges: ChangeSums = { added: 0, removed: 0, changed: 0 }

export const sumOf = (one: ChangeSums, other: ChangeSums): ChangeSums => ({
  added: one.added + other.added,
  removed: one.removed + other.removed,
  changed: one.changed + other.changed,
})

/** What others have changed, for a screen reader: `3 entries added. 1 entry removed.` */
export function changeText({ added, removed, changed }: ChangeSums): string {
  return joinSentences(
    added > 0 && t('live.added', { count: added }),
    removed > 0 && t('live.removed', { count: removed }),
    changed > 0 && t('live.changed', { count: changed }),
  )
}
