import { entryViewSlice } from '../core/entry-view.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { makeFolder } from './make.ts'
import { NamePrompt } from './name-prompt.tsx'

/** Asks for the name of a new folder. */
export const NewDirPrompt = view(function NewDirPrompt() {
  const workspace = useWorkspace()
  const entryView = workspace.use(entryViewSlice)
  const folder = nameOf(entryView.currentPath.value) || t('sidebar.myFiles')
  return (
    <NamePrompt
      kind="newDir"
      title={t('prompts.newDir.title')}
      label={t('prompts.newDir.name')}
      hint={t('prompts.newDir.where', { folder: isolate(folder) })}
      placeholder={t('prompts.newDir.placeholder')}
      submitLabel={t('action.create')}
      onSubmit={(name) => makeFolder(workspace, name)}
    />
  )
})
