import type { UnfinishedUpload } from '../../src-server/contract/uploads.ts'
import { folderText } from '../core/folder-text.ts'
import { nameOf } from '../core/paths.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatPercent, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { uploadFailureReason } from './failure-cause.ts'
import { isTaken, refusedAs, unfinishedSlice } from './unfinished.ts'

/** Uploads that broke off: how much of each is kept, and what goes on with it. @param isPart whether others stand above */
export const UnfinishedList = view(function UnfinishedList({ isPart }: { isPart: boolean }) {
  const { value: list } = useSlice(unfinishedSlice).list
  return (
    <div className="transfers-list transfers-unfinished">
      {isPart && (
        <div className="transfers-group">
          <span>{t('uploads.unfinished')}</span>
        </div>
      )}
      <ul>
        {list.map((one) => (
          <UnfinishedRow key={one.id} one={one} />
        ))}
      </ul>
    </div>
  )
})

const UnfinishedRow = view(function UnfinishedRow({ one }: { one: UnfinishedUpload }) {
  const workspace = useWorkspace()
  const unfinished = workspace.use(unfinishedSlice)
  const { path, offset, length = 0, refused, isGone } = one
  const name = nameOf(path)
  const isolated = { name: isolate(name) }
  const mayAnswer = refused !== undefined && isTaken(refused) && !isGone
  return (
    <li className="transfer transfer-waiting">
      <FileIcon of={{ name, isDir: false, type: 'others' }} />
      <span className="transfer-name">
        <FileName name={name} isDir={false} title={path} />
      </span>
      {!isGone && !refused && (
        <ProgressBar value={length > 0 ? Math.floor((100 * offset) / length) : 0} label={t('uploads.meter', isolated)} paused />
      )}
      <span className="transfer-state">{[folderText(path), stateOf(one)].join(' · ')}</span>
      {mayAnswer && (
        <div className="transfer-answer">
          <Button small label={t('prompts.replace.keepBoth')} onClick={() => void unfinished.name(one, 'keepBoth')} />
          {workspace.may('modify') && (
            <Button
              small
              kind="quiet"
              label={t('prompts.replace.replace')}
              onClick={() => void unfinished.name(one, 'replace')}
            />
          )}
        </div>
      )}
      <span className="transfer-actions">
        {isWhole(one) && !isGone ? (
          <IconButton
            icon="refresh"
            small
            smallIcon
            label={t('uploads.retry', isolated)}
            onClick={() => void unfinished.name(one, 'again')}
          />
        ) : (
          <IconButton
            icon="player-play"
            small
            smallIcon
            label={t('uploads.continue', isolated)}
            onClick={() => void unfinished.goOn(one)}
          />
        )}
        <IconButton
          icon="x"
          small
          smallIcon
          label={t('uploads.removeUnfinished', isolated)}
          onClick={() => void unfinished.remove(one)}
        />
      </span>
    </li>
  )
})

function stateOf(one: UnfinishedUpload): string {
  const { offset, length = 0, refused, isGone } = one
  if (isGone) return t('uploads.gone')
  // It asks what its buttons offer.
  if (refused && isTaken(refused)) return t('uploads.asking')
  if (refused) return uploadFailureReason(refusedAs(refused))
  const part = { percent: isolate(formatPercent(length > 0 ? offset / length : 0)), total: formatSize(length) }
  return t(isWhole(one) ? 'uploads.kept' : 'uploads.chooseAgain', part)
}

/** Whether it lacks nothing but its name. */
const isWhole = ({ offset, length }: UnfinishedUpload): boolean => offset === length
