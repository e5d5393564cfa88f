import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { view } from '../ui/view.tsx'
import { ChooseFolderPrompt } from './choose-folder-prompt.tsx'
import { DeletePrompt } from './delete-prompt.tsx'
import { DownloadPrompt } from './download-prompt.tsx'
import { InfoPrompt } from './info-prompt.tsx'
import { NameConflictPrompt } from './name-conflict-prompt.tsx'
import { NewDirPrompt } from './new-dir-prompt.tsx'
import { NewFilePrompt } from './new-file-prompt.tsx'
import { RenamePrompt } from './rename-prompt.tsx'
import { TransferPrompt } from './transfer-prompt.tsx'

/** The prompt of this feature that is open. */
export const Prompts = view(function Prompts() {
  const overlays = useSlice(overlaysSlice)
  const { value } = overlays.current
  if (value.kind === 'newDir') return <NewDirPrompt />
  if (value.kind === 'newFile') return <NewFilePrompt />
  if (value.kind === 'rename') return value.inPlace ? null : <RenamePrompt entry={value.entry} />
  if (value.kind === 'delete') return <DeletePrompt items={value.items} />
  if (value.kind === 'move' || value.kind === 'copy') return <TransferPrompt {...value} />
  if (value.kind === 'chooseFolder') return <ChooseFolderPrompt {...value} />
  if (value.kind === 'download') return <DownloadPrompt items={value.items} folder={value.folder} />
  if (value.kind === 'info') return <InfoPrompt items={value.items} />
  if (value.kind === 'nameConflicts') return <NameConflictPrompt conflicts={value.conflicts} into={value.into} />
  return null
})
