import { useEffect, useState } from 'react'
import type { TreeSize } from '../../src-server/contract/files.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatExactSize, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { Meter } from '../ui/meter.tsx'
import { view } from '../ui/view.tsx'
import { FolderSize } from './folder-size.ts'

type Props = {
  /** The folders to count. */
  paths: readonly string[]
  /** Bytes and number of the files beside these folders. */
  files: { bytes: number; count: number }
}

/** The size of folders with what lies inside, counted when it is asked for; the rows of a `dl`. */
export const InfoFolderSize = view(function InfoFolderSize({ paths, files }: Props) {
  const notices = useSlice(noticesSlice)
  const [size] = useState(() => new FolderSize(paths))
  useEffect(() => () => size.stop(), [size])
  const count = async () => {
    await size.count()
    const state = size.state.peek()
    if (state.kind === 'done')
      notices.announce(t('prompts.info.counted', { size: formatSize(state.counted.bytes + files.bytes) }))
  }
  const { value: state } = size.state
  const counted = 'counted' in state ? plus(state.counted, files) : undefined
  return (
    <>
      <dt>{t('prompts.info.size')}</dt>
      <dd>
        {state.kind === 'counting' && counted && <Counting counted={counted} onStop={() => size.stop()} />}
        {state.kind === 'done' && counted && <Counted counted={counted} />}
        {state.kind === 'stopped' && counted && (
          <>
            {t('prompts.info.atLeast', { size: formatSize(counted.bytes) })} <span aria-hidden="true">·</span>{' '}
            <CountButton label={t('prompts.info.countAll')} onClick={() => void count()} />
          </>
        )}
        {state.kind === 'none' && (
          <>
            {files.count > 0 && (
              <>
                {formatSize(files.bytes)} <span className="muted">{t('prompts.info.filesAlone')}</span>{' '}
                <span aria-hidden="true">·</span>{' '}
              </>
            )}
            <CountButton label={t('prompts.info.count')} onClick={() => void count()} />
          </>
        )}
        {state.kind === 'failed' && (
          <span className="sum-none">
            <FieldError text={failureReason(state.failure)} />
            <CountButton label={t('action.retry')} onClick={() => void count()} />
          </span>
        )}
      </dd>
      {state.kind === 'done' && counted && (
        <>
          <dt>{t('prompts.info.inside')}</dt>
          <dd>{countsOf(counted)}</dd>
        </>
      )}
    </>
  )
})

function Counting({ counted, onStop }: { counted: TreeSize; onStop: () => void }) {
  return (
    <span className="counting">
      <span>{t('prompts.info.atLeast', { size: formatSize(counted.bytes) })}</span>
      <Meter label={t('prompts.info.counting')} />
      <span className="counting-line">
        <span>{t('prompts.info.soFar', { counts: countsOf(counted) })}</span>
        <Button label={t('action.cancel')} kind="quiet" small onClick={onStop} />
      </span>
    </span>
  )
}

function Counted({ counted }: { counted: TreeSize }) {
  const { bytes, unlisted } = counted
  if (unlisted > 0)
    return (
      <>
        {t('prompts.info.atLeast', { size: formatSize(bytes) })}{' '}
        <span className="muted">{t('prompts.info.unlisted', { count: unlisted })}</span>
      </>
    )
  return (
    <>
      {formatSize(bytes)}{' '}
      {bytes >= 1000 && <span className="muted">{t('prompts.info.exact', { size: formatExactSize(bytes) })}</span>}
    </>
  )
}

function CountButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="text-link" onClick={onClick}>
      {label}
    </button>
  )
}

function plus(counted: TreeSize, { bytes, count }: Props['files']): TreeSize {
  return { ...counted, bytes: counted.bytes + bytes, files: counted.files + count }
}

/** `12,004 files in 611 folders`. */
function countsOf({ files, folders }: TreeSize): string {
  const inFiles = t('prompts.info.files', { count: files })
  return folders === 0
    ? inFiles
    : t('prompts.info.filesIn', { files: inFiles, folders: t('prompts.info.folders', { count: folders }) })
}
