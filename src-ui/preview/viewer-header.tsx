import type { ReactNode } from 'react'
import { commandTableSlice, isReady } from '../core/command.ts'
import { CommandMenu } from '../core/command-menu.tsx'
import type { Entry } from '../core/entries.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { keysOf, showChord } from '../core/key-names.ts'
import { run } from '../core/run.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatExactSize, formatNumber, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { previewSlice } from './preview.ts'

type Props = {
  file: Entry
  /** Controls of the content, after the name. */
  tools?: ReactNode
  /** The main button. */
  action?: ReactNode
}

/** Close, the file's name and details, and what can be done with it. */
export const ViewerHeader = view(function ViewerHeader({ file, tools, action }: Props) {
  const fileView = useSlice(fileViewSlice)
  return (
    <header className="viewer-header">
      <IconButton icon="x" label={t('action.close')} keys={showChord('Escape')} onClick={() => fileView.close()} />
      <div className="viewer-title">
        <h1>
          <FileName name={file.name} title={file.name} />
        </h1>
        <Details file={file} />
      </div>
      {tools}
      <CommandButton id="download" />
      <CommandButton id="info" isExtra />
      <CommandMenu place="viewer" label={t('menu.more')}>
        <IconButton icon="dots-vertical" label={t('menu.more')} />
      </CommandMenu>
      {action}
    </header>
  )
})

/** `6 / 11 · 4032 × 2688 · 5.1 MB` */
const Details = view(function Details({ file }: { file: Entry }) {
  const { neighbours } = useSlice(fileViewSlice)
  const { details } = useSlice(previewSlice)
  const { position } = neighbours.value
  return (
    <p>
      {position && position.of > 1 && (
        <>
          <bdi dir="ltr">
            {formatNumber(position.at)} / {formatNumber(position.of)}
          </bdi>
          {' · '}
        </>
      )}
      {details.value && (
        <>
          <bdi dir="ltr">{details.value}</bdi>
          {' · '}
        </>
      )}
      <span title={formatExactSize(file.size)}>{formatSize(file.size)}</span>
    </p>
  )
})

/** A command of the table as a button; nothing when the person may not use it. */
export const CommandButton = view(function CommandButton({ id, isExtra = false }: { id: string; isExtra?: boolean }) {
  const workspace = useWorkspace()
  const command = workspace.use(commandTableSlice).get(id)
  if (!command.icon || !isReady(workspace, command)) return null
  const [chord] = keysOf(command)
  return (
    <IconButton
      className={isExtra ? 'viewer-extra' : undefined}
      icon={command.icon}
      label={t(command.label)}
      pressed={command.checked?.(workspace)}
      keys={chord && showChord(chord)}
      onClick={() => void run(workspace, command)}
    />
  )
})
