import { useEffect, useState } from 'react'
import type { TrashItem } from '../../src-server/contract/trash.ts'
import { reportDone } from '../acts/offer-undo.ts'
import { call } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { isSignedOut } from '../core/failure-reason.ts'
import { isText } from '../core/file-view.ts'
import { mayUseTrash } from '../core/known-trash.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatDate, formatExactDate, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { restore } from './restore.ts'
import { trashedAddress } from './trashed-content.ts'

type Props = { of: Pick<Entry, 'path' | 'name' | 'type' | 'isDir' | 'size'> }

/** What a file was before it was replaced: each version can be opened, compared with the present one and put back. */
export const InfoVersions = view(function InfoVersions({ of }: Props) {
  const versions = useVersions(of.path)
  if (versions.length === 0) return null
  return (
    <section className="versions" aria-label={t('prompts.info.versions')}>
      <h3>{t('prompts.info.versions')}</h3>
      <ul>
        {versions.map((version) => (
          <Version key={version.id} version={version} of={of} />
        ))}
      </ul>
    </section>
  )
})

const Version = view(function Version({ version, of }: Props & { version: TrashItem }) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const { id, modified, deletedAt, size } = version
  const when = modified ?? deletedAt
  const address = trashedAddress(version)
  const putBack = async () => {
    const { restored, act } = await restore(workspace, [version], { taken: 'replace' }).catch(unlessSignedOut)
    if (restored.length === 0) return
    overlays.close('info')
    reportDone(workspace, t('prompts.info.versionRestored', { date: formatDate(when) }), act)
  }
  const onRestore = workspace.may('modify') ? () => void putBack() : undefined
  const compare = () => overlays.open({ kind: 'compareVersion', path: of.path, name: of.name, id, when, onRestore })
  return (
    <li>
      <span className="version-words">
        {modified !== undefined && <span title={formatExactDate(modified)}>{formatDate(modified)}</span>}
        <small title={formatExactDate(deletedAt)}>
          {endOf(version)}
          {size !== null && ` · ${formatSize(size)}`}
        </small>
      </span>
      {address !== undefined && (
        <IconButton
          icon="eye"
          small
          smallIcon
          label={t('prompts.info.openVersion')}
          onClick={() => window.open(address, '_blank', 'noopener')}
        />
      )}
      {isText(of) && <IconButton icon="git-compare" small smallIcon label={t('prompts.info.compare')} onClick={compare} />}
      {onRestore && (
        <IconButton icon="arrow-back-up" small smallIcon label={t('prompts.info.restoreVersion')} onClick={onRestore} />
      )}
    </li>
  )
})

/** What became of it: who made it is not known, and who replaced it is. */
function endOf({ why, by, deletedAt }: TrashItem): string {
  const words = { name: isolate(by), date: formatDate(deletedAt) }
  return t(why === 'replace' ? 'prompts.info.versionReplaced' : 'prompts.info.versionDeleted', words)
}

/** The replaced versions of a file, the latest first; none for whoever may not see the trash. */
function useVersions(path: string): readonly TrashItem[] {
  const workspace = useWorkspace()
  const [versions, setVersions] = useState<readonly TrashItem[]>([])
  useEffect(() => {
    setVersions([])
    if (!mayUseTrash(workspace)) return
    const leaving = new AbortController()
    const { signal } = leaving
    // Without an answer the rest of the information is shown.
    void call('GET /api/trash', { query: { path }, signal })
      .then(({ items }) => setVersions(items.filter(({ isDir }) => !isDir)))
      .catch(() => {})
    return () => leaving.abort()
  }, [workspace, path])
  return versions
}

function unlessSignedOut(failure: unknown) {
  if (!isSignedOut(failure)) throw failure
  return { restored: [], act: undefined }
}
