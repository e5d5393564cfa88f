import { entryViewSlice } from '../core/entry-view.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { makeFile } from './make.ts'
import { NamePrompt } from './name-prompt.tsx'

/** Asks for the name of a new file, which is empty. */
export const NewFilePrompt = view(function NewFilePrompt() {
  const workspace = useWorkspace()
  const entryView = workspace.use(entryViewSlice)
  const folder = nameOf(entryView.currentPath.value) || t('sidebar.myFiles')
  return (
    <NamePrompt
      kind="newFile"
      title={t('prompts.newFile.title')}
      label={t('prompts.newFile.name')}
      hint={t('prompts.newFile.where', { folder: isolate(folder) })}
      placeholder={t('prompts.newFile.placeholder')}
      submitLabel={t('action.create')}
      onSubmit={(name) => makeFile(workspace, name)}
    />
  )
})
