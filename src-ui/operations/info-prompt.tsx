import { useEffect, useState } from 'react'
import { pageOf } from '../api/addresses.ts'
import { call } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { type Opened, overlaysSlice } from '../core/overlay.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatAge } from '../i18n/age.ts'
import { formatDate, formatExactDate, formatExactSize, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { FileObject } from '../ui/file-object.tsx'
import { view } from '../ui/view.tsx'
import { formatMode } from './format-mode.ts'
import { InfoChecksums } from './info-checksums.tsx'
import { InfoFolderSize } from './info-folder-size.tsx'
import { InfoPicture } from './info-picture.tsx'
import { InfoVersions } from './info-versions.tsx'

type Props = { items: readonly Entry[] }

/** Details of one entry, of several together, or of the folder that is shown. */
export const InfoPrompt = view(function InfoPrompt({ items, onClose }: Opened<'info'>) {
  const workspace = useWorkspace()
  const [only] = items
  return (
    <Dialog
      title={t('prompts.info.title')}
      onClose={onClose}
      foot={<Button label={t('action.done')} data-first-focus onClick={onClose} />}
    >
      {items.length > 1 ? <Several items={items} /> : <One of={only ?? shownFolder(workspace)} />}
    </Dialog>
  )
})

type Thing = Pick<
  Entry,
  'path' | 'name' | 'isDir' | 'isSymlink' | 'type' | 'size' | 'modified' | 'extension' | 'mode' | 'unreachable'
>

const One = view(function One({ of }: { of: Thing | undefined }) {
  const workspace = useWorkspace()
  const contents = useContents(of?.isDir && !of.unreachable ? of.path : undefined)
  if (!of) return null
  return (
    <>
      <FileObject file={of} shown={of.name || t('sidebar.myFiles')} large>
        {of.isSymlink && <small>{t('listing.isLink')}</small>}
        <small>{of.unreachable ? t(`listing.unreachable.${of.unreachable}`) : of.isDir ? contents : kindOf(of)}</small>
      </FileObject>
      <dl className="facts">
        {of.isDir && !of.unreachable && <InfoFolderSize paths={[of.path]} files={noFiles} />}
        {!of.isDir && !of.unreachable && (
          <>
            <dt>{t('prompts.info.size')}</dt>
            <dd>
              {formatSize(of.size)}{' '}
              {of.size >= 1000 && <span className="muted">{t('prompts.info.exact', { size: formatExactSize(of.size) })}</span>}
            </dd>
          </>
        )}
        <dt>{t('prompts.info.modified')}</dt>
        <dd>
          <span title={formatExactDate(of.modified)}>{formatDate(of.modified)}</span>{' '}
          <span className="muted">{formatAge(of.modified)}</span>
        </dd>
        {of.type === 'image' && !of.unreachable && workspace.may('download') && <InfoPicture path={of.path} />}
        {!of.unreachable && <Mode mode={of.mode} />}
        {of.path !== '/' && <Where folder={parentOf(of.path)} />}
      </dl>
      {!of.isDir && !of.unreachable && workspace.may('download') && <InfoChecksums path={of.path} />}
      {!of.isDir && !of.unreachable && <InfoVersions of={of} />}
    </>
  )
})

const noFiles = { bytes: 0, count: 0 }

const Several = view(function Several({ items }: Props) {
  const entryView = useSlice(entryViewSlice)
  const files = items.filter(({ isDir }) => !isDir)
  const folders = items.filter(({ isDir, unreachable }) => isDir && !unreachable).map(({ path }) => path)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  return (
    <>
      <div className="object">
        <FileIcon of={{ name: '', isDir: files.length === 0 }} large />
        <span className="object-words">
          <span className="name">{t('prompts.info.items', { count: items.length })}</span>
          <small>{countsOf({ folders: items.length - files.length, files: files.length })}</small>
        </span>
      </div>
      <dl className="facts">
        {folders.length > 0 ? (
          <InfoFolderSize paths={folders} files={{ bytes: size, count: files.length }} />
        ) : (
          <>
            <dt>{t('prompts.info.size')}</dt>
            <dd>{formatSize(size)}</dd>
          </>
        )}
        <Where folder={entryView.currentPath.value} />
      </dl>
    </>
  )
})

function Mode({ mode }: { mode: number }) {
  const { letters, octal } = formatMode(mode)
  return (
    <>
      <dt>{t('prompts.info.mode')}</dt>
      <dd>
        <bdi className="code">{letters}</bdi> <span className="muted">{octal}</span>
      </dd>
    </>
  )
}

function Where({ folder }: { folder: string }) {
  const overlays = useSlice(overlaysSlice)
  return (
    <>
      <dt>{t('prompts.info.where')}</dt>
      <dd>
        <a className="text-link" href={pageOf(folder, true)} onClick={() => overlays.close('info')}>
          {folder === '/' ? t('sidebar.myFiles') : <bdi>{folder.slice(1).split('/').map(isolate).join(' / ')}</bdi>}
        </a>
      </dd>
    </>
  )
}

function shownFolder(workspace: Workspace): Thing | undefined {
  const entryView = workspace.use(entryViewSlice)
  const { value } = entryView.state
  if (value.kind !== 'folder') return undefined
  return { ...value.resource, path: value.path, name: nameOf(value.path), isDir: true }
}

function kindOf({ type, extension }: Thing): string {
  const kind = t(`prompts.info.kinds.${kinds[type] ?? 'other'}`)
  return extension ? t('prompts.info.kindOf', { kind, ending: isolate(extension) }) : kind
}

const kinds: Record<string, 'image' | 'video' | 'audio' | 'pdf' | 'text'> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  pdf: 'pdf',
  text: 'text',
  textImmutable: 'text',
}

/** `4 folders and 12 files`; kinds without entries are left out. */
function countsOf({ folders, files }: { folders: number; files: number }): string {
  const both = { folders: t('prompts.info.folders', { count: folders }), files: t('prompts.info.files', { count: files }) }
  if (folders > 0 && files > 0) return t('prompts.info.and', both)
  return folders > 0 ? both.folders : both.files
}

/** The number of folders and files in a folder as text; '' until it is known. */
function useContents(path: string | undefined): string {
  const [contents, setContents] = useState<Contents>()
  useEffect(() => {
    if (path === undefined) return
    const leaving = new AbortController()
    void contentsOf(path, leaving.signal).then((counted) => !leaving.signal.aborted && setContents(counted))
    return () => leaving.abort()
  }, [path])
  if (!contents) return ''
  return 'problem' in contents ? t('prompts.info.failed', { cause: contents.problem }) : countsOf(contents)
}

/** The number of folders and files in a folder, or why it is unknown. */
export type Contents = { folders: number; files: number } | { problem: string }

export async function contentsOf(path: string, signal: AbortSignal): Promise<Contents> {
  try {
    const { numDirs = 0, numFiles = 0 } = await call('GET /api/resources/*', { path, signal })
    return { folders: numDirs, files: numFiles }
  } catch (failure) {
    return { problem: failureReason(failure) }
  }
}
