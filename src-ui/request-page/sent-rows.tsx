import { useState } from 'react'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import type { RequestModel } from './request-model.ts'
import type { SentFile, SentPhase } from './sent-files.ts'
import { mayTryAgain, stateOf } from './sent-state.ts'
import { typeOfName } from './type-of-name.ts'

/** Rows that are drawn at a time: a folder may have thousands of files. */
const pageSize = 100

/** What is shown first. */
const order: readonly SentPhase[] = ['sending', 'away', 'failed', 'waiting', 'done']

type Props = { model: RequestModel; only?: SentPhase }

/** The files that were chosen, with how far each is. */
export const SentRows = view(function SentRows({ model, only }: Props) {
  const [shown, setShown] = useState(pageSize)
  const all = model.files.all.value
  const wanted = (only ? [only] : order).flatMap((phase) => all.filter((file) => file.phase === phase))
  if (wanted.length === 0) return null
  return (
    <>
      <ul className="sent-list">
        {wanted.slice(0, shown).map((file) => (
          <Row key={file.id} file={file} model={model} />
        ))}
      </ul>
      {wanted.length > shown && <Button wide label={t('share.more')} onClick={() => setShown(shown + pageSize)} />}
    </>
  )
})

/** Not a component of its own for signals: files are changed in place, and the list is drawn again. */
function Row({ file, model }: { file: SentFile; model: RequestModel }) {
  const { id, name, phase, loaded, size } = file
  const short = name.slice(name.lastIndexOf('/') + 1)
  const named = { name: isolate(short) }
  const isMoving = phase === 'sending' || phase === 'away'
  return (
    <li className={`sent sent-${phase}`}>
      <FileIcon of={{ name: short, type: typeOfName(short) }} />
      <span className="sent-name">
        <FileName name={short} title={name} />
      </span>
      {isMoving && (
        <ProgressBar
          value={Math.floor((size > 0 ? loaded / size : 0) * 100)}
          label={t('uploads.meter', named)}
          paused={phase === 'away'}
        />
      )}
      <span className="sent-state">{stateOf(file)}</span>
      <span className="sent-actions">
        {phase === 'done' && <Icon name="circle-check" className="icon-done" />}
        {mayTryAgain(file, model) && (
          <IconButton icon="refresh" small smallIcon label={t('uploads.retry', named)} onClick={() => model.files.retry(id)} />
        )}
        {phase !== 'done' && (
          <IconButton
            icon="x"
            small
            smallIcon
            label={t(phase === 'failed' ? 'uploads.dismiss' : 'uploads.cancel', named)}
            onClick={() => model.files.cancel(id)}
          />
        )}
      </span>
    </li>
  )
}
