import { useEffect } from 'react'
import type { Act } from '../../src-server/contract/history.ts'
import { failureReason } from '../core/failure-reason.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { PanelToggle } from '../jobs/job-list.tsx'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { actState, actTitle, flipLabel } from './act-words.ts'
import { actsSlice } from './acts.ts'
import { flipAct } from './flip-act.ts'

type HeaderProps = {
  isOpen: boolean
  /** Absent where others stand above with the buttons. */
  onToggle?: (() => void) | undefined
}

/** The heading of the last acts, and the buttons of the panel. */
export const ActsHeader = view(function ActsHeader({ isOpen, onToggle }: HeaderProps) {
  const acts = useSlice(actsSlice)
  const hide = () => {
    acts.isShown.value = false
  }
  return (
    <div className="transfers-header">
      <div className="transfers-title">
        <h2>{t('acts.title')}</h2>
        {onToggle && <PanelToggle isOpen={isOpen} onToggle={onToggle} />}
        <IconButton icon="x" small smallIcon label={t('action.close')} onClick={hide} />
      </div>
    </div>
  )
})

/** What the person did last, in whatever page, the newest first. */
export const ActList = view(function ActList() {
  const acts = useSlice(actsSlice)
  useEffect(() => void acts.refreshQuietly(), [acts])
  const { value: all } = acts.list
  const { value: failure } = acts.failure
  return (
    <div className="transfers-list transfers-acts">
      {failure !== undefined && <NotLoaded failure={failure} />}
      {all.length === 0 && failure === undefined && <p className="muted">{t('acts.none')}</p>}
      <ul>
        {all.map((act) => (
          <ActRow key={act.id} act={act} />
        ))}
      </ul>
    </div>
  )
})

/** Those that were told before stay. */
const NotLoaded = view(function NotLoaded({ failure }: { failure: unknown }) {
  const acts = useSlice(actsSlice)
  return (
    <div className="acts-failed" role="alert">
      <p>{t('transfer.failure', { name: t('acts.notLoaded'), cause: failureReason(failure) })}</p>
      <Button small icon="refresh" label={t('action.retry')} onClick={() => void acts.refreshQuietly()} />
    </div>
  )
})

const icons: Readonly<Record<Act['kind'], IconName>> = {
  upload: 'upload',
  newFolder: 'folder-plus',
  save: 'device-floppy',
  copy: 'copy',
  rename: 'cursor-text',
  move: 'folder-symlink',
  delete: 'trash',
  restore: 'refresh',
}

const ActRow = view(function ActRow({ act }: { act: Act }) {
  return (
    <li className="transfer">
      <Icon name={icons[act.kind]} className="transfer-icon" />
      <span className="transfer-name">{actTitle(act)}</span>
      <span className="transfer-state">{actState(act)}</span>
      <span className="transfer-actions">
        <Flip act={act} />
      </span>
    </li>
  )
})

/** What was undone can be done again; what can be neither has a button that says so. */
const Flip = view(function Flip({ act }: { act: Act }) {
  const workspace = useWorkspace()
  const direction = act.mayRedo && !act.mayUndo ? 'redo' : 'undo'
  // Of what its job still does it is asked whether it is stopped.
  const isPossible = direction === 'redo' || act.mayUndo || act.why === 'running'
  return (
    <IconButton
      icon={direction === 'redo' ? 'arrow-forward-up' : 'arrow-back-up'}
      small
      smallIcon
      label={flipLabel(act, direction)}
      disabled={!isPossible}
      onClick={() => void flipAct(workspace, act, { direction })}
    />
  )
})
