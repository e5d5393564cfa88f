import type { OverlayKinds } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { NamePrompt } from './name-prompt.tsx'
import { rename } from './rename.ts'

/** Asks for a new name on a phone, where the row has no room for a field. */
export const RenamePrompt = view(function RenamePrompt({ entry, inPlace }: OverlayKinds['rename']) {
  const workspace = useWorkspace()
  if (inPlace) return null
  return (
    <NamePrompt
      kind="rename"
      title={t('prompts.rename.title')}
      label={t('prompts.rename.name')}
      submitLabel={t('action.rename')}
      start={entry.name}
      onSubmit={(name) => rename(workspace, entry, name)}
    />
  )
})
