import { useEffect } from 'react'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import type { Opened } from '../core/overlay.ts'
import { presentItems } from '../core/present-items.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { FolderPicker } from './folder-picker.tsx'
import { pickerSlice } from './picker.ts'
import { chooseFolder, mayChoose, refusalOfFolder } from './picker-commands.ts'

/** Asks for the folder to which items are moved or copied. */
export const TransferPrompt = view(function TransferPrompt({ kind, items, from, onClose }: Opened<'move' | 'copy'>) {
  const workspace = useWorkspace()
  const picker = workspace.use(pickerSlice)
  useEffect(() => {
    void picker.open(from)
    return () => picker.close()
  }, [picker, from])
  const present = presentItems(useSlice(entryViewSlice), items)
  const refusal = refusalOfFolder(workspace)
  return (
    <Dialog
      title={titleOf(kind, present)}
      onClose={onClose}
      foot={
        <>
          <span className="dialog-note" role="status">
            {refusal ? t(refusal) : t('prompts.picker.to', { folder: wayTo(picker.destination.value) })}
          </span>
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button
            kind="primary"
            label={t(`prompts.${kind}.submit`)}
            disabled={!mayChoose(workspace)}
            onClick={() => void chooseFolder(workspace)}
          />
        </>
      }
    >
      <FolderPicker kind={kind} items={present} from={from} />
    </Dialog>
  )
})

function titleOf(kind: 'move' | 'copy', items: readonly Item[]): string {
  const [only] = items
  if (items.length === 1 && only) return t(`prompts.${kind}.titleNamed`, { name: isolate(visibleName(only.name)) })
  return t(`prompts.${kind}.title`, { count: items.length })
}

/** `Mill House / Invoices` */
function wayTo(path: string): string {
  if (path === '/') return t('sidebar.myFiles')
  return path
    .slice(1)
    .split('/')
    .map((name) => isolate(visibleName(name)))
    .join(' / ')
}
