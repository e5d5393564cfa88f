import { go } from '../core/location.ts'
import { type OverlayKinds, overlaysSlice } from '../core/overlay.ts'
import { useSaving } from '../core/use-saving.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Confirm } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { deleteUser } from './user-calls.ts'

/** Asks before a user is deleted. *Cancel* has the focus. */
export const DeleteUserPrompt = view(function DeleteUserPrompt({ id, username, onDeleted }: OverlayKinds['deleteUser']) {
  const overlays = useSlice(overlaysSlice)
  const { isBusy, save } = useSaving()
  const close = () => overlays.close('deleteUser')
  const submit = async () => {
    const isDone = await save({
      work: () => deleteUser(id),
      done: () => t('users.deleted'),
      failed: t('users.notDeleted', { username: isolate(username) }),
    })
    close()
    if (!isDone) return
    onDeleted?.()
    go('/settings/users', { replace: true })
  }
  return (
    <Confirm
      title={t('users.deleteTitle', { username: isolate(username) })}
      description={t('users.deleteText')}
      confirm={t('action.delete')}
      icon="trash"
      busy={isBusy}
      onClose={close}
      onConfirm={() => void submit()}
    />
  )
})
