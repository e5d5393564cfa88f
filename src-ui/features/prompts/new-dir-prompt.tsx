import { makeFolder } from '../../commands/make.ts'
import { isolate, t } from '../../i18n/t.ts'
import { nameOf } from '../../state/crumbs.ts'
import { currentPath } from '../../state/listing.ts'
import { view } from '../../view.tsx'
import { NamePrompt } from './name-prompt.tsx'

/** Asks for the name of a new folder. */
export const NewDirPrompt = view(function NewDirPrompt() {
  const folder = nameOf(currentPath.value) || t('sidebar.myFiles')
  return (
    <NamePrompt
      kind="newDir"
      title={t('prompts.newDir.title')}
      label={t('prompts.newDir.name')}
      hint={t('prompts.newDir.where', { folder: isolate(folder) })}
      placeholder={t('prompts.newDir.placeholder')}
      submitLabel={t('action.create')}
      onSubmit={makeFolder}
    />
  )
})
