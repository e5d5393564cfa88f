import type { MouseEvent } from 'react'
import { commandById } from '../commands.ts'
import { type Command, isAllowed } from '../core/command.ts'
import { run } from '../core/run.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'
import { showMenu } from './use-pointer.ts'

/** A folder without entries: what to do in it, for who may. */
export const EmptyFolder = view(function EmptyFolder() {
  const upload = commandById('upload.files')
  const makers = [commandById('newDir'), commandById('newFile')]
  const mayFill = isAllowed(upload)
  return (
    <div className="pane" {...emptySpace}>
      <Empty art="bag" title={t('listing.emptyTitle')} text={t(mayFill ? 'listing.emptyText' : 'listing.emptyTextReader')}>
        {mayFill && <Start command={upload} label={t('listing.upload')} isPrimary />}
        {makers.filter(isAllowed).map((command) => (
          <Start key={command.id} command={command} label={t(command.label)} />
        ))}
      </Empty>
    </div>
  )
})

const emptySpace = { onContextMenu: (event: MouseEvent) => showMenu(undefined, event) }

function Start({ command, label, isPrimary = false }: { command: Command; label: string; isPrimary?: boolean }) {
  const kind = isPrimary ? 'primary' : 'plain'
  return <Button kind={kind} icon={command.icon} label={label} onClick={() => void run(command)} />
}
