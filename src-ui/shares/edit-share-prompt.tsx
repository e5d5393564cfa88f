import { useState } from 'react'
import type { Share } from '../../src-server/contract/shares.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSaving } from '../core/use-saving.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FileObject } from '../ui/file-object.tsx'
import { view } from '../ui/view.tsx'
import { EditForm } from './edit-form.tsx'
import { changesOf, draftOf } from './edited-link.ts'
import type { ManagedLinks } from './managed-links.ts'
import { isTooShort } from './new-link.ts'
import { changeShare } from './share-calls.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Changes a link. */
    editShare: { share: Share; state: ManagedLinks }
  }
}

/** Changes note and password of one of all links. */
export const EditSharePrompt = view(function EditSharePrompt() {
  const { value } = useSlice(overlaysSlice).current
  return value.kind === 'editShare' ? <Prompt share={value.share} state={value.state} /> : null
})

const Prompt = view(function Prompt({ share, state }: { share: Share; state: ManagedLinks }) {
  const overlays = useSlice(overlaysSlice)
  const [draft, setDraft] = useState(() => draftOf(share))
  const { isBusy, save } = useSaving()
  const close = () => overlays.close('editShare')
  const submit = async () => {
    if (isTooShort(draft.password)) return setDraft({ ...draft, isRefused: true })
    const isSaved = await save({
      work: async () => state.replace(await changeShare(share, changesOf(share, draft))),
      done: () => t('shares.saved'),
      failed: t('shares.notSaved'),
    })
    if (isSaved) close()
  }
  return (
    <Dialog
      title={t('shares.editTitle')}
      onClose={close}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button label={t('action.cancel')} onClick={close} />
          <Button kind="primary" submit busy={isBusy} label={t('shares.save')} />
        </>
      }
    >
      <FileObject file={share} shown={share.name || t('sidebar.myFiles')} />
      <EditForm share={share} draft={draft} onDraft={setDraft} />
    </Dialog>
  )
})
