import { commandTableSlice, isReady } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { showChord } from '../core/key-names.ts'
import type { Opened } from '../core/overlay.ts'
import { useRun } from '../core/run.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatDay, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Modal, ModalTitle } from '../ui/dialog.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Keys } from '../ui/keys.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { FileContent } from './file-content.tsx'
import { previewSlice } from './preview.ts'

/** The selected file over the list. It has the theme of the page, and the list stays in sight. */
export const QuickLook = view(function QuickLook({ onClose }: Opened<'quickLook'>) {
  const entryView = useSlice(entryViewSlice)
  const [entry] = entryView.selected.value
  return (
    <Modal
      className="quick"
      place="dialog-place quick-place"
      backdrop="backdrop backdrop-light"
      onClose={onClose}
      onOpen={focusAll}
      onClosed={() => entry && entryView.reveal(entry.key, 'byKeyboard')}
    >
      {entry && <OpenQuickLook entry={entry} onClose={onClose} />}
    </Modal>
  )
})

function focusAll(event: Event): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).focus()
}

const OpenQuickLook = view(function OpenQuickLook({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const workspace = useWorkspace()
  const commands = workspace.use(commandTableSlice)
  const { details } = workspace.use(previewSlice)
  const download = commands.get('download')
  const facts = [details.value, entry.isDir ? '' : formatSize(entry.size), formatDay(entry.modified)]
  const press = useRun()
  return (
    <>
      <header className="viewer-header">
        <IconButton icon="x" label={t('action.close')} onClick={onClose} />
        <div className="viewer-title">
          <ModalTitle asChild>
            <h2>
              <FileName name={entry.name} isDir={entry.isDir} title={entry.name} />
            </h2>
          </ModalTitle>
          <p>
            {facts.filter(Boolean).map((fact, index) => (
              <span key={fact}>
                {index > 0 && ' · '}
                <bdi>{fact}</bdi>
              </span>
            ))}
          </p>
        </div>
        {isReady(workspace, download) && (
          <IconButton className="viewer-extra" icon="download" label={t(download.label)} onClick={() => press('download')} />
        )}
        <Button kind="primary" icon="maximize" label={t('listing.command.open')} onClick={() => press('quickLook.show')} />
      </header>
      <div className="quick-stage">
        {entry.isDir ? <FileIcon of={entry} large /> : <FileContent file={entry} />}
        <Step to="previous" onPress={() => press('quickLook.previous')} />
        <Step to="next" onPress={() => press('quickLook.next')} />
      </div>
      <footer className="modal-foot">
        <span>
          <Keys shown={showChord('ArrowUp')} />
          <Keys shown={showChord('ArrowDown')} /> {t('preview.hintStep')}
        </span>
        <span>
          <Keys shown={showChord('Enter')} /> {t('preview.hintOpen')}
        </span>
        <span className="grow" />
        <span>
          <Keys shown={showChord('Space')} /> {t('preview.hintClose')}
        </span>
      </footer>
    </>
  )
})

function Step({ to, onPress }: { to: 'previous' | 'next'; onPress: () => void }) {
  const label = t(`preview.${to}`)
  return (
    <button type="button" className={`viewer-step viewer-step-${to}`} aria-label={label} title={label} onClick={onPress}>
      <Icon name={to === 'next' ? 'chevron-right' : 'chevron-left'} />
    </button>
  )
}
