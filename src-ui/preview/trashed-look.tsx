import { useMemo } from 'react'
import { fetchBlob } from '../api/http.ts'
import { isText } from '../core/file-view.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import type { Opened } from '../core/overlay.ts'
import { formatDay, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Modal, ModalTitle } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { contentAddress, type ShownFile } from './content-address.ts'
import { FileCard } from './file-card.tsx'
import { FileContent } from './file-content.tsx'
import { isLargeText } from './kinds.ts'

/** A file of the trash over its page, as Quick Look shows one of a folder: nothing of it can be changed. */
export const TrashedLook = view(function TrashedLook({ file, onRestore, onClose }: Opened<'trashedLook'>) {
  const restore = () => {
    onClose()
    onRestore()
  }
  return (
    <Modal className="quick" place="dialog-place quick-place" backdrop="backdrop backdrop-light" onClose={onClose}>
      <header className="viewer-header">
        <IconButton icon="x" label={t('action.close')} onClick={onClose} />
        <div className="viewer-title">
          <ModalTitle asChild>
            <h2>
              <FileName name={file.name} isDir={false} title={file.name} />
            </h2>
          </ModalTitle>
          <p>
            <bdi>{formatSize(file.size)}</bdi> ·{' '}
            <bdi>{t('trash.deletedOn', { date: formatDay(file.deletedAt ?? file.modified) })}</bdi>
          </p>
        </div>
        <a className="icon-button" href={contentAddress(file)} download={file.name} aria-label={t('command.download')}>
          <Icon name="download" />
        </a>
        <Button kind="primary" icon="arrow-back-up" label={t('trash.restore')} onClick={restore} />
      </header>
      <div className="quick-stage">{isText(file) ? <TrashedText file={file} /> : <FileContent file={file} />}</div>
    </Modal>
  )
})

const TrashedText = view(function TrashedText({ file }: { file: ShownFile }) {
  const address = contentAddress(file)
  const isLarge = isLargeText(file)
  const load = useMemo(
    () => (signal: AbortSignal) => (isLarge ? Promise.resolve(undefined) : textAt(address, signal)),
    [address, isLarge],
  )
  const loaded = useLoaded(load)
  return (
    <Loading loaded={loaded}>
      {(text) =>
        text === undefined ? (
          <FileCard file={file} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by the keyboard
          <pre className="quick-text" dir="auto" tabIndex={0}>
            {text}
          </pre>
        )
      }
    </Loading>
  )
})

/** @returns undefined for what is no text @throws HttpFailure */
async function textAt(address: string, signal: AbortSignal): Promise<string | undefined> {
  const bytes = await (await fetchBlob(address, signal)).arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  return text.includes('\0') ? undefined : text
}
