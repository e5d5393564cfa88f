import type { MouseEvent } from 'react'
import { type Command, commandTableSlice, isAllowed } from '../core/command.ts'
import { run } from '../core/run.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'
import { showMenu } from './use-pointer.ts'

/** A folder without entries, with buttons to upload and create for users who may. */
export const EmptyFolder = view(function EmptyFolder() {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  const upload = commandTable.get('upload.files')
  const makers = [commandTable.get('newDir'), commandTable.get('newFile')]
  const emptySpace = { onContextMenu: (event: MouseEvent) => showMenu(workspace, undefined, event) }
  const mayFill = isAllowed(workspace, upload)
  return (
    <div className="pane" {...emptySpace}>
      <Empty art="bag" title={t('listing.emptyTitle')} text={t(mayFill ? 'listing.emptyText' : 'listing.emptyTextReader')}>
        {mayFill && <Start command={upload} label={t('listing.upload')} isPrimary />}
        {makers
          .filter((maker) => isAllowed(workspace, maker))
          .map((command) => (
            <Start key={command.id} command={command} label={t(command.label)} />
          ))}
      </Empty>
    </div>
  )
})

function Start({ command, label, isPrimary = false }: { command: Command; label: string; isPrimary?: boolean }) {
  const workspace = useWorkspace()
  const kind = isPrimary ? 'primary' : 'plain'
  return <Button kind={kind} icon={command.icon} label={label} onClick={() => void run(workspace, command)} />
}
