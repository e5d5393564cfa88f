import { overlay } from '../../state/overlay.ts'
import { view } from '../../view.tsx'
import { NewDirPrompt } from './new-dir-prompt.tsx'
import { ReplacePrompt } from './replace-prompt.tsx'

/** The prompt that lies over the page, if one does. */
export const Prompts = view(function Prompts() {
  const { kind } = overlay.value
  if (kind === 'newDir') return <NewDirPrompt />
  if (kind === 'replace') return <ReplacePrompt />
  return null
})
