import { nameOf } from '../core/paths.ts'
import { isolate, t } from '../i18n/t.ts'
import { currentPath } from '../listing/listing.ts'
import { view } from '../ui/view.tsx'
import { makeFile } from './make.ts'
import { NamePrompt } from './name-prompt.tsx'

/** Asks for the name of a new file, which is empty. */
export const NewFilePrompt = view(function NewFilePrompt() {
  const folder = nameOf(currentPath.value) || t('sidebar.myFiles')
  return (
    <NamePrompt
      kind="newFile"
      title={t('prompts.newFile.title')}
      label={t('prompts.newFile.name')}
      hint={t('prompts.newFile.where', { folder: isolate(folder) })}
      placeholder={t('prompts.newFile.placeholder')}
      submitLabel={t('action.create')}
      onSubmit={makeFile}
    />
  )
})
