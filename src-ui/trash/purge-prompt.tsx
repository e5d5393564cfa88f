import { overlaysSlice } from '../core/overlay.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatSize } from '../i18n/format.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import { titleOf } from '../operations/delete-words.ts'
import { Confirm } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import type { TrashItems, TrashRow } from './trash-items.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Asks before entries of the trash are deleted for good. */
    purge: { rows: readonly TrashRow[] | 'all'; items: TrashItems }
  }
}

/** Asks before entries of the trash, or all, are deleted for good. *Cancel* has the focus. */
export const PurgePrompt = view(function PurgePrompt() {
  const { value } = useSlice(overlaysSlice).current
  return value.kind === 'purge' ? <Question rows={value.rows} items={value.items} /> : null
})

const Question = view(function Question({ rows, items }: { rows: readonly TrashRow[] | 'all'; items: TrashItems }) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const { total = 0, own = { items: 0, bytes: 0 } } = items.facts.value ?? {}
  const close = () => overlays.close('purge')
  const submit = () => items.purge(rows, close)
  const isAll = rows === 'all'
  // An administrator may delete what others have deleted.
  const othersStay = isAll && !workspace.may('admin') && own.items < total
  return (
    <Confirm
      title={isAll ? t('trash.emptyAsk') : titleOf(rows, true)}
      description={joinSentences(
        isAll && t('trash.emptyAskText', { items: t('listing.items', { count: own.items }), size: formatSize(own.bytes) }),
        t('prompts.delete.forGood'),
        othersStay && t('trash.othersStay'),
      )}
      confirm={t(items.isBusy.value ? 'prompts.delete.busy' : isAll ? 'trash.emptyAll' : 'trash.purge')}
      icon="trash"
      busy={items.isBusy.value}
      onClose={close}
      onConfirm={() => void submit()}
    />
  )
})
