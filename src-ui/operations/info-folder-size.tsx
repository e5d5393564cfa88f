import { useEffect, useState } from 'react'
import type { TreeSize } from '../../src-server/contract/files.ts'
import { formatExactSize, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { countsOf, type FilesBeside, folderSize, plus } from './folder-size.ts'
import { OnDemandRow } from './on-demand-row.tsx'

type Props = {
  /** The folders to count. */
  paths: readonly string[]
  files: FilesBeside
}

/** The size of folders with what lies inside, counted when it is asked for; the rows of a `dl`. */
export const InfoFolderSize = view(function InfoFolderSize({ paths, files }: Props) {
  const [size] = useState(() => folderSize(paths))
  useEffect(() => () => size.stop(), [size])
  const { value: state } = size.state
  return (
    <>
      <dt>{t('prompts.info.size')}</dt>
      <dd>
        <OnDemandRow
          demand={size}
          ask={t(state.kind === 'stopped' ? 'prompts.info.countAll' : 'prompts.info.count')}
          lead={<Lead counted={state.kind === 'stopped' ? plus(state.progress, files) : undefined} files={files} />}
          running={(counted) => <Counting counted={plus(counted, files)} onStop={() => size.stop()} />}
          done={(counted) => <Counted counted={plus(counted, files)} />}
          announced={({ bytes }) => t('prompts.info.counted', { size: formatSize(bytes + files.bytes) })}
        />
      </dd>
      {state.kind === 'done' && (
        <>
          <dt>{t('prompts.info.inside')}</dt>
          <dd>{countsOf(plus(state.value, files))}</dd>
        </>
      )}
    </>
  )
})

/** What is known without counting, or was counted before the person has stopped it. */
function Lead({ counted, files }: { counted: TreeSize | undefined; files: Props['files'] }) {
  if (!counted && files.count === 0) return null
  return (
    <>
      {counted ? (
        t('prompts.info.atLeast', { size: formatSize(counted.bytes) })
      ) : (
        <>
          {formatSize(files.bytes)} <span className="muted">{t('prompts.info.filesAlone')}</span>
        </>
      )}{' '}
      <span aria-hidden="true">·</span>{' '}
    </>
  )
}

function Counting({ counted, onStop }: { counted: TreeSize; onStop: () => void }) {
  return (
    <span className="counting">
      <span>{t('prompts.info.atLeast', { size: formatSize(counted.bytes) })}</span>
      <ProgressBar label={t('prompts.info.counting')} />
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
