import { go } from '../core/location.ts'
import type { Opened } from '../core/overlay.ts'
import { useSaving } from '../core/use-saving.ts'
import { isolate, t } from '../i18n/t.ts'
import { Confirm } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { deleteUser } from './user-calls.ts'

/** Asks before a user is deleted. *Cancel* has the focus. */
export const DeleteUserPrompt = view(function DeleteUserPrompt({ id, username, onDeleted, onClose }: Opened<'deleteUser'>) {
  const { isBusy, save } = useSaving()
  const submit = async () => {
    const isDone = await save({
      work: () => deleteUser(id),
      done: () => t('users.deleted'),
      failed: t('users.notDeleted', { username: isolate(username) }),
    })
    onClose()
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
      onClose={onClose}
      onConfirm={() => void submit()}
    />
  )
})
