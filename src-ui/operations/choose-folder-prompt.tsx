import { useEffect } from 'react'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { FolderPicker } from './folder-picker.tsx'
import { type Picker, pickerSlice } from './picker.ts'
import { chooseFolder, mayChoose } from './picker-commands.ts'

/** Asks for a folder, for a form that needs its path. */
export const ChooseFolderPrompt = view(function ChooseFolderPrompt({ title, from, onClose }: Opened<'chooseFolder'>) {
  const workspace = useWorkspace()
  const picker = workspace.use(pickerSlice)
  useEffect(() => {
    void openOrRoot(picker, from)
    return () => picker.close()
  }, [picker, from])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <span className="dialog-note" role="status" dir="ltr">
            {picker.destination.value}
          </span>
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button
            kind="primary"
            label={t('prompts.picker.choose')}
            disabled={!mayChoose(workspace)}
            onClick={() => void chooseFolder(workspace)}
          />
        </>
      }
    >
      <FolderPicker kind="choose" items={none} from={from} />
    </Dialog>
  )
})

/** A folder that is not there yet is looked for from the root. */
async function openOrRoot(picker: Picker, from: string): Promise<void> {
  await picker.open(from)
  const { path, problem } = picker.state.peek()
  if (path === from && from !== '/' && problem) await picker.open('/')
}

const none: readonly never[] = []
