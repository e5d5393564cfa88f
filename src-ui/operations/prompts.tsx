import { overlay } from '../core/overlay.ts'
import { view } from '../ui/view.tsx'
import { CancelPrompt } from '../uploads/cancel-prompt.tsx'
import { ReplacePrompt } from '../uploads/replace-prompt.tsx'
import { DeletePrompt } from './delete-prompt.tsx'
import { InfoPrompt } from './info-prompt.tsx'
import { NewDirPrompt } from './new-dir-prompt.tsx'
import { NewFilePrompt } from './new-file-prompt.tsx'
import { RenamePrompt } from './rename-prompt.tsx'
import { ReplaceRenamePrompt } from './replace-rename-prompt.tsx'
import { TransferPrompt } from './transfer-prompt.tsx'

/** The prompt that lies over the page, if one does. */
export const Prompts = view(function Prompts() {
  const { value } = overlay
  if (value.kind === 'newDir') return <NewDirPrompt />
  if (value.kind === 'newFile') return <NewFilePrompt />
  if (value.kind === 'rename') return value.inPlace ? null : <RenamePrompt entry={value.entry} />
  if (value.kind === 'delete') return <DeletePrompt items={value.items} />
  if (value.kind === 'move' || value.kind === 'copy') return <TransferPrompt {...value} />
  if (value.kind === 'info') return <InfoPrompt items={value.items} />
  if (value.kind === 'cancelUploads') return <CancelPrompt />
  if (value.kind === 'replace') return <ReplacePrompt />
  if (value.kind === 'replace-rename') return <ReplaceRenamePrompt taken={value.taken} into={value.into} />
  return null
})
