import { type Command, commandTableSlice, isReady, reasonOf } from '../core/command.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { run, useRun } from '../core/run.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatNumber, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { useToolbar } from '../ui/use-toolbar.ts'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'

/** The menu of the selection on a phone, which has no right button. */
function MoreButton() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  return (
    <IconButton
      className="selection-more"
      icon="dots-vertical"
      label={t('menu.more')}
      aria-haspopup="menu"
      onClick={(event) => {
        const { left, top } = event.currentTarget.getBoundingClientRect()
        overlays.open({ kind: 'context', of: 'selection', target: workspace.use(listingSlice).target(), at: { x: left, y: top } })
      }}
    />
  )
}

/** The number of selected entries and the commands for them; on a phone at the lower edge. */
export const SelectionBar = view(function SelectionBar() {
  const commandTable = useSlice(commandTableSlice)
  const listing = useSlice(listingSlice)
  const entries = listing.selected.value
  const toolbar = useToolbar()
  const press = useRun()
  if (entries.length === 0 && !listing.isMultiple.value) return null
  const files = entries.filter((entry) => !entry.isDir)
  const size = files.reduce((sum, entry) => sum + entry.size, 0)
  return (
    <div className="selection" role="toolbar" {...toolbar} aria-label={t('listing.selection')}>
      <span className="selection-count">
        <span className="selection-text">
          {entries.length > 0 && (
            <span className="selection-number" aria-hidden="true">
              {formatNumber(entries.length)}
            </span>
          )}
          <span className="selection-words">
            {entries.length > 0 ? t('listing.selected', { count: entries.length }) : t('listing.selectSeveral')}
            {files.length > 0 && <span className="selection-size"> · {formatSize(size)}</span>}
          </span>
        </span>
        <IconButton icon="x" smallIcon label={t('listing.clear')} onClick={() => press('selection.clear')} />
      </span>
      {commandTable.offered('selection').map((command) => (
        <SelectionButton key={command.id} command={command} />
      ))}
      <MoreButton />
      <span className="divider" />
    </div>
  )
})

// A button that does not apply stays focusable, so that its reason can be read.
const SelectionButton = view(function SelectionButton({ command }: { command: Command }) {
  const workspace = useWorkspace()
  const label = t(command.label)
  const ready = isReady(workspace, command)
  const reason = reasonOf(workspace, command)
  return (
    <IconButton
      className={command.danger ? 'icon-button-danger' : ''}
      icon={command.icon ?? 'dots'}
      label={reason ? t('listing.disabled', { label, reason: t(reason) }) : label}
      aria-disabled={!ready || undefined}
      onClick={() => ready && void run(workspace, command)}
    />
  )
})
