import { useState } from 'react'
import type { Share } from '../../src-server/contract/shares.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Confirm } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import type { ManagedLinks } from './managed-links.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Asks before links are deleted. */
    deleteShares: { links: readonly Share[]; state: ManagedLinks }
  }
}

/** Asks before links are deleted. *Cancel* has the focus. */
export const DeleteSharesPrompt = view(function DeleteSharesPrompt() {
  const { value } = useSlice(overlaysSlice).current
  return value.kind === 'deleteShares' ? <Question links={value.links} state={value.state} /> : null
})

const Question = view(function Question({ links, state }: { links: readonly Share[]; state: ManagedLinks }) {
  const overlays = useSlice(overlaysSlice)
  const [stopping] = useState(() => new AbortController())
  const close = () => {
    // Cancelling during the deletion keeps the remaining links.
    stopping.abort()
    overlays.close('deleteShares')
  }
  const submit = async () => {
    await state.remove(links, stopping)
    overlays.close('deleteShares')
  }
  return (
    <Confirm
      title={titleOf(links)}
      description={t(links.length === 1 ? 'shares.deleteText' : 'shares.deleteTextMany')}
      confirm={t('action.delete')}
      icon="trash"
      busy={state.isBusy.value}
      onClose={close}
      onConfirm={() => void submit()}
    />
  )
})

function titleOf(links: readonly Share[]): string {
  const [only] = links
  if (links.length !== 1 || !only) return t('shares.deleteTitle', { count: links.length })
  return t('shares.deleteTitleNamed', { name: isolate(visibleName(only.name || t('sidebar.myFiles'))) })
}
